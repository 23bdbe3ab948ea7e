/* Feeds the network with a tone that rises, and prints which word it takes that for. */
#include "keywords.h"
#include <stdio.h>

#ifdef __GNUC__
#define ALIGNED(n) __attribute__((aligned(n)))
#else
#define ALIGNED(n)
#endif

/* All the memory that the network works in. */
ALIGNED(SPOT_ARENA_ALIGNMENT) static uint8_t arena[SPOT_ARENA_SIZE];
static uint8_t spectra[SPOT_ARG0_SIZE];
static uint32_t scores[SPOT_ARG1_SIZE / sizeof(uint32_t)];

int main(void) {
  unsigned word, best = 0;
  unsigned i;
  for (i = 0; i < sizeof spectra; i++) {
    unsigned time = i / 10, band = i % 10;
    spectra[i] = (uint8_t)(time / 5 == band ? 100 : -20);
  }
  spot(spectra, scores, arena);
  for (word = 0; word < 12; word++) {
    if ((int32_t)scores[word] > (int32_t)scores[best]) best = word;
    printf("word %2u: %6ld\n", word, (long)(int32_t)scores[word]);
  }
  printf("it is word %u\n", best);
  return 0;
}
