/* Feeds the network with the features of one second of sound, and says which word it takes that for. The features are read from a file of 490 bytes, if
   one is named; else they are those of a tone that rises. */
#include "keywords.h"
#ifndef FIRMWARE
#include <stdio.h>
#endif

#ifdef __GNUC__
#define ALIGNED(n) __attribute__((aligned(n)))
#else
#define ALIGNED(n)
#endif

/* All the memory that the network works in. */
ALIGNED(MAIN_0_ARENA_ALIGNMENT) static uint8_t arena[MAIN_0_ARENA_SIZE];
/* 49 times 10 coefficients, and the score of each word. */
static uint8_t features[MAIN_0_ARG0_SIZE];
static uint8_t scores[MAIN_0_ARG1_SIZE];

/* Returns the word with the greatest score. */
static unsigned spot(void) {
  unsigned word, best = 0;
  main_0(features, scores, arena);
  for (word = 1; word < MAIN_0_ARG1_SIZE; word++) {
    if ((int8_t)scores[word] > (int8_t)scores[best]) best = word;
  }
  return best;
}

static void rising_tone(void) {
  unsigned i;
  for (i = 0; i < sizeof features; i++) {
    unsigned time = i / 10, coefficient = i % 10;
    features[i] = (uint8_t)(time / 5 == coefficient ? 100 : -20);
  }
}

#ifdef FIRMWARE
volatile unsigned heard;

int main(void) {
  rising_tone();
  heard = spot();
  return 0;
}
#else
int main(int argc, char **argv) {
  static const char *const words[] = {"down", "go", "left", "no", "off", "on", "right", "stop", "up", "yes", "silence", "unknown"};
  unsigned word, best;
  rising_tone();
  if (argc > 1) {
    FILE *f = fopen(argv[1], "rb");
    if (!f || fread(features, 1, sizeof features, f) != sizeof features) {
      fprintf(stderr, "%s doesn't have %lu bytes of features\n", argv[1], (unsigned long)sizeof features);
      return 1;
    }
    fclose(f);
  }
  best = spot();
  for (word = 0; word < sizeof scores; word++) printf("%-8s %4d\n", words[word], (int8_t)scores[word]);
  printf("it is \"%s\"\n", words[best]);
  return 0;
}
#endif
