package native

import (
	"fmt"

	"freehold/exec"
	"freehold/ir"
	"freehold/transform/emit/emitc"
)

// random are the functions of MLIR's runner utilities for numbers at random: what they take in C, after their name, and what they do. A generator is the one that package interp has, by the same algorithms.
var random = map[string][2]string{
	"rtsrand": {"int64_t seed", `return fh_seeded((uint64_t)seed);`},
	"rtrand":  {"void *g, int64_t last", `return (int64_t)fh_up_to(g, (uint64_t)last);`},
	"rtdrand": {"void *g", `free(g);`},
	"shuffle": {"%s m, void *g", `
  int64_t i, n = m.sizes[0], s = m.strides[0];
  for (i = 0; i < n; i++) m.data[m.offset + i * s] = i;
  if (n > 65535) {
    for (i = 1; i < n; i++) FH_SWAP(i, fh_up_to(g, (uint64_t)i));
    return;
  }
  i = 1;
  if (n > 0 && n % 2 == 0) {
    FH_SWAP(i, fh_up_to(g, 1));
    i++;
  }
  for (; i < n; i += 2) {
    uint64_t x = fh_up_to(g, (uint64_t)((i + 1) * (i + 2) - 1));
    FH_SWAP(i, x / (uint64_t)(i + 2));
    FH_SWAP(i + 1, x % (uint64_t)(i + 2));
  }`},
}

// randomFunction returns the definition of one of them; "" if it is none.
func randomFunction(f emitc.Function) string {
	does, ok := random[f.Symbol]
	if !ok {
		return ""
	}
	var args, results []ir.Type
	for _, p := range f.Params {
		args = append(args, p.Type)
		if p.Plain {
			return ""
		}
	}
	for _, r := range f.Results {
		results = append(results, r.Type)
	}
	if r, ok := exec.RunnerFunctionNamed(f.Symbol); !ok || !r.Takes(args, results) {
		return ""
	}
	params := does[0]
	if f.Symbol == "shuffle" {
		params = fmt.Sprintf(params, f.Params[0].C)
	}
	return generatorText + fmt.Sprintf("%s %s(%s) { %s }\n", f.Returns, f.Name, params, does[1])
}

// generatorText defines generators, once.
const generatorText = `
#ifndef FH_GENERATOR
#define FH_GENERATOR
#define FH_SWAP(a, b) do { \
    int64_t p_ = m.offset + (int64_t)(a) * s, q_ = m.offset + (int64_t)(b) * s; \
    uint64_t x_ = (uint64_t)m.data[p_]; \
    m.data[p_] = m.data[q_]; \
    m.data[q_] = x_; \
  } while (0)
typedef struct { uint32_t state[624]; int next; } fh_generator;
static inline void *fh_seeded(uint64_t seed) {
  fh_generator *g = malloc(sizeof *g);
  uint32_t i;
  if (!g) abort();
  g->state[0] = (uint32_t)seed;
  for (i = 1; i < 624; i++) {
    uint32_t x = g->state[i - 1];
    g->state[i] = 1812433253u * (x ^ x >> 30) + i;
  }
  g->next = 624;
  return g;
}
static inline uint32_t fh_draw(fh_generator *g) {
  uint32_t x;
  if (g->next == 624) {
    int i;
    for (i = 0; i < 624; i++) {
      uint32_t y = (g->state[i] & 0x80000000u) | (g->state[(i + 1) % 624] & 0x7fffffffu);
      g->state[i] = g->state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    g->next = 0;
  }
  x = g->state[g->next++];
  x ^= x >> 11;
  x ^= x << 7 & 0x9d2c5680u;
  x ^= x << 15 & 0xefc60000u;
  return x ^ x >> 18;
}
static inline uint64_t fh_up_to(void *generator, uint64_t last) {
  fh_generator *g = generator;
  if (last < UINT32_MAX) {
    uint32_t n = (uint32_t)last + 1, least;
    uint64_t product = (uint64_t)fh_draw(g) * n;
    if ((uint32_t)product < n) {
      least = (0 - n) % n;
      while ((uint32_t)product < least) product = (uint64_t)fh_draw(g) * n;
    }
    return product >> 32;
  }
  if (last == UINT32_MAX) return fh_draw(g);
  for (;;) {
    uint64_t high = fh_up_to(g, last >> 32) << 32, x = high + fh_draw(g);
    if (x >= high && x <= last) return x;
  }
}
#endif
`
