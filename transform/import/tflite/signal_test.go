package tflite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// custom is a model of one operator that isn't built in, with options by names.
func custom(name string, options map[string]float64, outputs []model.Tensor, inputs ...model.Tensor) []byte {
	g := tflitegen.Subgraph{Name: "main"}
	o := tflitegen.Operator{Code: "CUSTOM", Custom: name, CustomOptions: tflitegen.Flexbuffer(options)}
	for _, t := range inputs {
		n := int32(len(g.Tensors))
		g.Tensors = append(g.Tensors, t)
		o.Inputs = append(o.Inputs, n)
		if t.Data == nil {
			g.Inputs = append(g.Inputs, n)
		}
	}
	for _, t := range outputs {
		o.Outputs = append(o.Outputs, int32(len(g.Tensors)))
		g.Tensors = append(g.Tensors, t)
	}
	for i := range g.Tensors {
		g.Tensors[i].Name = fmt.Sprintf("t%d", i)
	}
	g.Outputs, g.Operators = o.Outputs, []tflitegen.Operator{o}
	return tflitegen.Model(g)
}

func int16s(list ...int64) (out []byte) {
	for _, n := range list {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// listed is a list as an argument.
func listed[T any](list []T) string {
	return strings.ReplaceAll(fmt.Sprint(list), " ", ",")
}

// numbers reads what a result is printed as.
func numbers(text string) (out []int64) {
	for _, s := range strings.Fields(text) {
		var n int64
		fmt.Sscan(s, &n)
		out = append(out, n)
	}
	return out
}

func TestSignalWindowAndScale(t *testing.T) {
	i16 := func(shape ...int64) model.Tensor { return tensor(model.Int16, shape...) }
	for _, tt := range []struct {
		file []byte
		args []string
		want string
	}{
		{custom("SignalWindow", map[string]float64{"shift": 12}, []model.Tensor{i16(2, 2)}, i16(2, 2), constant(i16(2), int16s(4096, 2048))),
			[]string{"[[100,-101],[32767,-32768]]"}, "[100 -51 32767 -16384]"},
		{custom("SignalWindow", map[string]float64{"shift": 0}, []model.Tensor{i16(2)}, i16(2), constant(i16(2), int16s(2, 2))),
			[]string{"[20000,-20000]"}, "[32767 -32768]"},
		{custom("SignalFftAutoScale", nil, []model.Tensor{i16(3), tensor(model.Int32)}, i16(3)), []string{"[0,0,0]"}, "[0 0 0 0]"},
		{custom("SignalFftAutoScale", nil, []model.Tensor{i16(3), tensor(model.Int32)}, i16(3)), []string{"[5,-9,0]"}, "[10240 -18432 0 11]"},
		{custom("SignalFftAutoScale", nil, []model.Tensor{i16(2), tensor(model.Int32)}, i16(2)), []string{"[16383,-16384]"}, "[16383 -16384 0]"},
		// The amount of the least number is that number, and 3 is more.
		{custom("SignalFftAutoScale", nil, []model.Tensor{i16(2), tensor(model.Int32)}, i16(2)), []string{"[-32768,3]"}, "[0 24576 13]"},
		{custom("SignalEnergy", map[string]float64{"start_index": 1, "end_index": 3}, []model.Tensor{tensor(model.Uint32, 4)}, i16(8)),
			[]string{"[1,1,3,-4,-32768,-32768,5,5]"}, "[0 25 -2147483648 0]"},
	} {
		var got []int64
		for _, r := range execute(t, tt.file, tt.args...) {
			got = append(got, numbers(r)...)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v: got %v, want %s", tt.args, got, tt.want)
		}
	}
}

// fixed is a complex number in fixed point.
type fixed [2]int64

// transformer computes transforms by Kiss FFT's recursion, on integers with so many bits of fraction.
type transformer struct {
	fraction int
	inverse  bool
}

func (f transformer) wrap(x int64) int64 {
	unused := 63 - f.fraction
	return x << unused >> unused
}

func (f transformer) round(x int64) int64 { return f.wrap((x + 1<<(f.fraction-1)) >> f.fraction) }

func (f transformer) divide(x fixed, by int64) fixed {
	return fixed{f.round(x[0] * ((1<<f.fraction - 1) / by)), f.round(x[1] * ((1<<f.fraction - 1) / by))}
}

func (f transformer) mul(a, b fixed) fixed {
	return fixed{f.round(a[0]*b[0] - a[1]*b[1]), f.round(a[0]*b[1] + a[1]*b[0])}
}

// add returns a + b·sign.
func (f transformer) add(a, b fixed, sign int64) fixed {
	return fixed{f.wrap(a[0] + sign*b[0]), f.wrap(a[1] + sign*b[1])}
}

func (f transformer) root(angle float64) fixed {
	if f.inverse {
		angle = -angle
	}
	largest := float64(int64(1)<<f.fraction - 1)
	return fixed{int64(math.Floor(0.5 + largest*math.Cos(angle))), int64(math.Floor(0.5 + largest*math.Sin(angle)))}
}

// transform is of every stride-th number, where all are total.
func (f transformer) transform(in []fixed, stride, total int) []fixed {
	n := total / stride
	if n == 1 {
		return in[:1]
	}
	radix := 4
	if n%4 != 0 {
		radix = 2
	}
	var parts [][]fixed
	for k := range radix {
		parts = append(parts, f.transform(in[k*stride:], stride*radix, total))
	}
	m := n / radix
	out := make([]fixed, n)
	for j := range m {
		x := make([]fixed, radix)
		for k := range x {
			x[k] = f.divide(parts[k][j], int64(radix))
			if k > 0 {
				x[k] = f.mul(x[k], f.root(-2*math.Pi*float64(j*k*stride)/float64(total)))
			}
		}
		if radix == 2 {
			out[j], out[j+m] = f.add(x[0], x[1], 1), f.add(x[0], x[1], -1)
			continue
		}
		a, b, c, d := f.add(x[0], x[2], 1), f.add(x[0], x[2], -1), f.add(x[1], x[3], 1), f.add(x[1], x[3], -1)
		turned := fixed{d[1], -d[0]}
		if f.inverse {
			turned = fixed{-d[1], d[0]}
		}
		out[j], out[j+2*m], out[j+m], out[j+3*m] = f.add(a, c, 1), f.add(a, c, -1), f.add(b, turned, 1), f.add(b, turned, -1)
	}
	return out
}

// real is the transform of real numbers.
func (f transformer) real(in []int64) []int64 {
	n := len(in) / 2
	pairs := make([]fixed, n)
	for i := range pairs {
		pairs[i] = fixed{in[2*i], in[2*i+1]}
	}
	v := f.transform(pairs, 1, n)
	out := make([]fixed, n+1)
	first := f.divide(v[0], 2)
	out[0], out[n] = fixed{f.wrap(first[0] + first[1])}, fixed{f.wrap(first[0] - first[1])}
	half := func(x int64) int64 {
		if f.fraction == 31 {
			x = f.wrap(x)
		}
		return f.wrap(x >> 1)
	}
	for k := 1; k <= n/2; k++ {
		a, b := f.divide(v[k], 2), f.divide(fixed{v[n-k][0], f.wrap(-v[n-k][1])}, 2)
		s, d := f.add(a, b, 1), f.mul(f.add(a, b, -1), f.root(-math.Pi*(float64(k)/float64(n)+0.5)))
		out[k], out[n-k] = fixed{half(s[0] + d[0]), half(s[1] + d[1])}, fixed{half(s[0] - d[0]), half(d[1] - s[1])}
	}
	var flat []int64
	for _, x := range out {
		flat = append(flat, x[:]...)
	}
	return flat
}

// samples is the transform of a spectrum to real numbers.
func (f transformer) samples(in []int64) []int64 {
	n := len(in)/2 - 1
	number := func(i int) fixed { return fixed{in[2*i], in[2*i+1]} }
	v := make([]fixed, n)
	v[0] = f.divide(fixed{f.wrap(in[0] + in[2*n]), f.wrap(in[0] - in[2*n])}, 2)
	for k := 1; k <= n/2; k++ {
		mirrored := number(n - k)
		a, b := f.divide(number(k), 2), f.divide(fixed{mirrored[0], f.wrap(-mirrored[1])}, 2)
		s, d := f.add(a, b, 1), f.mul(f.add(a, b, -1), f.root(-math.Pi*(float64(k)/float64(n)+0.5)))
		v[k] = f.add(s, d, 1)
		v[n-k] = f.add(s, d, -1)
		v[n-k][1] = f.wrap(-v[n-k][1])
	}
	var flat []int64
	for _, x := range f.transform(v, 1, n) {
		flat = append(flat, x[:]...)
	}
	return flat
}

// What a spectrum is of, in fixed point by the recursion, and near the definition.
func TestSignalIrfft(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, tt := range []struct {
		typ  model.Type
		bits int
		size int
	}{{model.Int16, 15, 4}, {model.Int16, 15, 8}, {model.Int16, 14, 16}, {model.Int16, 15, 64}, {model.Int16, 14, 128}, {model.Int32, 31, 16}, {model.Int32, 28, 64}, {model.Float32, 3, 4}, {model.Float32, 3, 32}, {model.Float32, 3, 64}} {
		spectrum := make([]int64, tt.size+2)
		for i := range spectrum {
			spectrum[i] = rnd.Int64N(1<<(tt.bits+1)-1) - (1<<tt.bits - 1)
		}
		spectrum[1], spectrum[tt.size+1] = 0, 0
		file := custom("SignalIrfft", map[string]float64{"fft_length": float64(tt.size)}, []model.Tensor{tensor(tt.typ, int64(tt.size))}, tensor(tt.typ, int64(tt.size)+2))
		got := execute(t, file, listed(spectrum))[0]
		if tt.typ != model.Float32 {
			if want := (transformer{int(tt.typ.Size()*8 - 1), true}).samples(spectrum); got != joined(want) {
				t.Errorf("%v:\ngot  %s\nwant %s", tt, got, joined(want))
			}
			continue
		}
		for i, value := range strings.Fields(got) {
			want := float64(spectrum[0])
			for k := 1; k <= tt.size/2; k++ {
				angle, times := 2*math.Pi*float64(k)*float64(i)/float64(tt.size), 2.0
				if k == tt.size/2 {
					times = 1
				}
				want += times * (float64(spectrum[2*k])*math.Cos(angle) - float64(spectrum[2*k+1])*math.Sin(angle))
			}
			var x float64
			if fmt.Sscan(value, &x); math.Abs(x-want/float64(tt.size)) > 1e-5 {
				t.Errorf("%v: sample %d is %g, and by definition %g", tt, i, x, want/float64(tt.size))
			}
		}
	}
}

// Transforms in fixed point are those of the recursion; all are near the definition.
func TestSignalRfft(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		typ    model.Type
		bits   int // of the samples
		length int
		size   int
	}{{model.Int16, 15, 4, 4}, {model.Int16, 15, 7, 8}, {model.Int16, 15, 16, 16}, {model.Int16, 14, 30, 32}, {model.Int16, 15, 60, 64}, {model.Int16, 12, 120, 128},
		{model.Int32, 31, 16, 16}, {model.Int32, 30, 50, 64}, {model.Float32, 3, 5, 8}, {model.Float32, 3, 64, 64}, {model.Float32, 3, 100, 128}} {
		samples := make([]int64, tt.size)
		for i := range tt.length {
			samples[i] = rnd.Int64N(1<<(tt.bits+1)-1) - (1<<tt.bits - 1)
		}
		file := custom("SignalRfft", map[string]float64{"T": float64(tt.typ), "fft_length": float64(tt.size)},
			[]model.Tensor{tensor(tt.typ, 1, int64(tt.size)+2)}, tensor(tt.typ, 1, int64(tt.length)))
		got := execute(t, file, "["+listed(samples[:tt.length])+"]")[0]
		scale, near := 1.0, 1e-5*float64(tt.size)
		if tt.typ != model.Float32 {
			fraction := int(tt.typ.Size()*8 - 1)
			scale, near = 1/float64(tt.size), 2*math.Log2(float64(tt.size))
			if want := (transformer{fraction: fraction}).real(samples); got != joined(want) {
				t.Errorf("%v:\ngot  %s\nwant %s", tt, got, joined(want))
			}
		}
		values := strings.Fields(got)
		for k := range tt.size/2 + 1 {
			var re, im float64
			for i, x := range samples {
				angle := -2 * math.Pi * float64(k) * float64(i) / float64(tt.size)
				re, im = re+float64(x)*math.Cos(angle), im+float64(x)*math.Sin(angle)
			}
			for part, want := range []float64{re * scale, im * scale} {
				var x float64
				if fmt.Sscan(values[2*k+part], &x); math.Abs(x-want) > near {
					t.Errorf("%v: part %d of number %d is %g, and by definition %g", tt, part, k, x, want)
				}
			}
		}
	}
}

func TestFilterBank(t *testing.T) {
	i16 := func(list ...int64) model.Tensor {
		return constant(tensor(model.Int16, int64(len(list))), int16s(list...))
	}
	u32, u64 := tensor(model.Uint32, 4), tensor(model.Uint64, 2)
	// Channels with frequencies 0 to 1, 1 to 2 and 3; of the first one only what is missing to its weights is used.
	file := custom("SignalFilterBank", map[string]float64{"num_channels": 2}, []model.Tensor{u64}, u32,
		i16(1000, 2000, 3000, 4000, 5000), i16(3096, 2096, 1096, 96, -904), i16(0, 1, 3), i16(0, 2, 4), i16(2, 2, 1))
	want := fmt.Sprint([]int64{3096*7 + 2096*11 + 3000*11 + 4000*4294967295, 1096*11 + 96*4294967295 + 5000*3})
	if got := fmt.Sprint(numbers(execute(t, file, "[7,11,4294967295,3]")[0])); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFilterBankSquareRoot(t *testing.T) {
	list := []uint64{0, 1, 2, 3, 6, 7, 1<<32 - 1, 1 << 32, 65535*65535 + 65535, 65535*65535 + 65536, 1<<63 + 12345, 1<<64 - 1, 1<<64 - 1<<33}
	n := int64(len(list))
	file := custom("SignalFilterBankSquareRoot", nil, []model.Tensor{tensor(model.Uint32, n)}, tensor(model.Uint64, n), tensor(model.Int32))
	for _, shift := range []int{0, 3} {
		var want []int64
		for _, x := range list {
			root := uint64(math.Sqrt(float64(x)))
			for hi, lo := bits.Mul64(root, root); hi > 0 || lo > x; hi, lo = bits.Mul64(root, root) {
				root--
			}
			most := uint64(math.MaxUint32)
			if x <= math.MaxUint32 {
				most = math.MaxUint16
			}
			if x-root*root > root && root < most {
				root++
			}
			want = append(want, int64(int32(root>>shift)))
		}
		var args []int64
		for _, x := range list {
			args = append(args, int64(x))
		}
		if got := execute(t, file, listed(args), fmt.Sprintf("dense<%d>", shift))[0]; got != joined(want) {
			t.Errorf("got %s, want %s", got, joined(want))
		}
	}
}

// The estimate of the noise stays from one execution to the next.
func TestSpectralSubtraction(t *testing.T) {
	for _, clamping := range []float64{0, 1} {
		options := map[string]float64{"num_channels": 3, "smoothing": 400, "one_minus_smoothing": 15984, "alternate_smoothing": 983,
			"alternate_one_minus_smoothing": 15401, "min_signal_remaining": 819, "smoothing_bits": 10, "spectral_subtraction_bits": 14, "clamping": clamping}
		u32 := tensor(model.Uint32, 3)
		file := custom("SignalFilterBankSpectralSubtraction", options, []model.Tensor{u32, u32}, u32)
		for _, in := range [][]uint32{{100000, 90000, 7}, {50, 90000, 4000000}, {100000, 0, 4194304}} {
			noise := make([]uint32, 3)
			first, again := both(t, file, listed(in))
			for _, got := range [][]string{first, again} {
				var out, estimates []int64
				for i, x := range in {
					step, kept := uint64(400), uint64(15984)
					if i == 1 {
						step, kept = 983, 15401
					}
					scaled := x << 10
					noise[i] = uint32((uint64(scaled)*step + uint64(noise[i])*kept) >> 14)
					taken := min(noise[i], scaled)
					if clamping == 1 {
						noise[i] = taken
					}
					out = append(out, int64(int32(max((scaled-taken)>>10, uint32(uint64(x)*819>>14)))))
					estimates = append(estimates, int64(int32(noise[i])))
				}
				if want := []string{joined(out), joined(estimates)}; !slices.Equal(got, want) {
					t.Errorf("clamping %v: got %v, want %v", clamping, got, want)
				}
			}
		}
	}
}

func TestGainControl(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	table := make([]int64, 125)
	for i := range table {
		table[i] = rnd.Int64N(1<<16) - 1<<15
	}
	noise := []uint32{0, 1, 2, 3, 4, 1000, 2047, 2048, 123456789, math.MaxUint32}
	in := []uint32{1, 70000, 5, 4000000000, 3, 2, 100, 12345678, 77, 9}
	n := int64(len(in))
	u32 := tensor(model.Uint32, n)
	const shift = 5
	file := custom("SignalPCAN", map[string]float64{"snr_shift": shift}, []model.Tensor{u32}, u32, u32, constant(tensor(model.Int16, 125), int16s(table...)))
	var want []int64
	for i, x := range noise {
		gain := int16(0)
		if x <= 2 {
			gain = int16(table[x])
		} else {
			length := bits.Len32(x)
			c := table[4*length-6:]
			fraction := int32(uint64(x) << 32 >> (length - 1) >> 22 & 1023)
			y := int32(c[2])*fraction>>5 + int32(c[1])<<5
			gain = int16((y*fraction+1<<14)>>15 + int32(c[0]))
		}
		ratio := uint32(uint64(in[i]) * uint64(uint32(int32(gain))) >> shift)
		if ratio < 8192 {
			want = append(want, int64(ratio*ratio>>20))
		} else {
			want = append(want, int64(ratio>>6)-64)
		}
	}
	if got := execute(t, file, listed(in), listed(noise))[0]; got != joined(want) {
		t.Errorf("got %s, want %s", got, joined(want))
	}
}

// Logarithms are computed with 16 bits behind the point, with steps of the logarithm between powers of two.
func TestFilterBankLog(t *testing.T) {
	list := []uint32{0, 1, 2, 3, 5, 100, 65535, 65536, 65537, 1 << 20, 1<<29 - 1, 1 << 29}
	n := int64(len(list))
	step := func(i int64) int64 {
		return int64(math.Round((math.Log2(1+float64(i)/128) - float64(i)/128) * (1 << 16)))
	}
	for _, scale := range []float64{64, 1600} {
		file := custom("SignalFilterBankLog", map[string]float64{"output_scale": scale, "input_correction_bits": 3}, []model.Tensor{tensor(model.Int16, n)}, tensor(model.Uint32, n))
		for i, got := range numbers(execute(t, file, listed(list))[0]) {
			var want int64
			if x := list[i] << 3; x > 1 {
				exponent := bits.Len32(x) - 1
				rest := int64(x-1<<exponent) << 16 >> exponent
				at := rest >> 9
				log2 := int64(exponent)<<16 + rest + step(at) + (step(at+1)-step(at))*(rest-at<<9)>>16
				want = min(((45426*log2+1<<15)>>16*int64(scale)+1<<15)>>16, math.MaxInt16)
				if exact := math.Log(float64(x)) * scale; math.Abs(min(exact, math.MaxInt16)-float64(want)) > 1+0.002*scale {
					t.Errorf("scale %g: the logarithm of %d is %d by the steps, and %g truly", scale, x, want, exact)
				}
			}
			if got != want {
				t.Errorf("scale %g: the logarithm of %d is %d, not %d", scale, list[i], got, want)
			}
		}
	}
}

// The operators one after another, with the sizes of TensorFlow Lite Micro's example of speech, make features of 30 milliseconds of a tone: the channel with its
// frequency has the largest.
func TestPreprocessor(t *testing.T) {
	const samples, size, channels, width = 480, 512, 16, 12
	var ones, samplesOfTone []int64
	for i := range samples {
		ones = append(ones, 4096)
		samplesOfTone = append(samplesOfTone, int64(3000*math.Cos(2*math.Pi*float64(i)*100/size)))
	}
	var rising, falling, places, weights, counts []int64
	for c := range int64(channels + 1) {
		places, weights, counts = append(places, 1+c*width), append(weights, c*width), append(counts, width)
		for i := range int64(width) {
			rising, falling = append(rising, 4096*i/width), append(falling, 4096-4096*i/width)
		}
	}
	gain := make([]int64, 125)
	for i := range gain {
		gain[i] = 1 << 12 * int64(1-min(i%4, 1))
	}
	g := tflitegen.Subgraph{Name: "main"}
	add := func(x model.Tensor) int32 {
		x.Name = fmt.Sprintf("t%d", len(g.Tensors))
		g.Tensors = append(g.Tensors, x)
		return int32(len(g.Tensors) - 1)
	}
	i16 := func(list []int64) int32 {
		return add(constant(tensor(model.Int16, int64(len(list))), int16s(list...)))
	}
	apply := func(name string, options map[string]float64, outputs []model.Tensor, inputs ...int32) []int32 {
		o := tflitegen.Operator{Code: "CUSTOM", Custom: name, CustomOptions: tflitegen.Flexbuffer(options), Inputs: inputs}
		for _, x := range outputs {
			o.Outputs = append(o.Outputs, add(x))
		}
		g.Operators = append(g.Operators, o)
		return o.Outputs
	}
	in := add(tensor(model.Int16, samples))
	u32 := tensor(model.Uint32, channels)
	windowed := apply("SignalWindow", map[string]float64{"shift": 12}, []model.Tensor{tensor(model.Int16, samples)}, in, i16(ones))
	scaled := apply("SignalFftAutoScale", nil, []model.Tensor{tensor(model.Int16, samples), tensor(model.Int32)}, windowed...)
	spectrum := apply("SignalRfft", map[string]float64{"T": 7, "fft_length": size}, []model.Tensor{tensor(model.Int16, size+2)}, scaled[0])
	energies := apply("SignalEnergy", map[string]float64{"start_index": 1, "end_index": 205}, []model.Tensor{tensor(model.Uint32, size/2+1)}, spectrum...)
	bank := apply("SignalFilterBank", map[string]float64{"num_channels": channels}, []model.Tensor{tensor(model.Uint64, channels)},
		energies[0], i16(rising), i16(falling), i16(places), i16(weights), i16(counts))
	roots := apply("SignalFilterBankSquareRoot", nil, []model.Tensor{u32}, bank[0], scaled[1])
	quiet := apply("SignalFilterBankSpectralSubtraction", map[string]float64{"num_channels": channels, "smoothing": 409, "one_minus_smoothing": 15975, "alternate_smoothing": 983,
		"alternate_one_minus_smoothing": 15401, "min_signal_remaining": 819, "smoothing_bits": 10, "spectral_subtraction_bits": 14, "clamping": 0}, []model.Tensor{u32, u32}, roots...)
	controlled := apply("SignalPCAN", map[string]float64{"snr_shift": 6}, []model.Tensor{u32}, quiet[0], quiet[1], i16(gain))
	g.Inputs, g.Outputs = []int32{in}, apply("SignalFilterBankLog", map[string]float64{"output_scale": 64, "input_correction_bits": 3}, []model.Tensor{tensor(model.Int16, channels)}, controlled...)
	features := numbers(execute(t, tflitegen.Model(g), listed(samplesOfTone))[0])
	// Frequency 100 is a quarter into the range where channel 7 rises and channel 8 falls.
	if at := slices.Index(features, slices.Max(features)); at != 8 {
		t.Errorf("the features are %v", features)
	}
}

// The sums of MediaPipe's transposed convolution start with the bias.
func TestTransposeConvBias(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Outputs: []int32{3}, Tensors: []model.Tensor{f(1, 1, 2, 1),
		constant(f(1, 1, 2, 1), floats(1, 10)), constant(f(1), floats(100)), f(1, 1, 4, 1)}}
	g.Operators = []tflitegen.Operator{{Code: "CUSTOM", Custom: "Convolution2DTransposeBias", CustomOptions: int32s(1, 2, 1), Inputs: []int32{0, 1, 2}, Outputs: []int32{3}}}
	if got := execute(t, tflitegen.Model(g), "[[[[1],[2]]]]")[0]; got != "101 110 102 120" {
		t.Errorf("it is %s", got)
	}
}

// The transform of rows of four numbers, or of two such rows; what the transform has more of than the input is 0.
func TestRFFT2D(t *testing.T) {
	for _, tt := range []struct {
		height, width, rows, columns int64
		part, arg, want              string
	}{
		{1, 4, 1, 4, "REAL", "[[1,2,3,4]]", "10 -2 -2"},
		{1, 4, 1, 4, "IMAG", "[[1,2,3,4]]", "0 2 0"},
		{1, 4, 1, 4, "COMPLEX_ABS", "[[4,3,0,0]]", "7 5 1"},
		{2, 4, 2, 4, "REAL", "[[1,2,3,4],[0,0,0,1]]", "11 -2 -3 9 -2 -1"},
		{2, 4, 2, 4, "IMAG", "[[1,2,3,4],[0,0,0,1]]", "0 3 0 0 1 0"},
		{2, 4, 1, 2, "REAL", "[[1,2]]", "3 1 -1 3 1 -1"},
		{1, 4, 2, 5, "REAL", "[[1,2,3,4,9],[9,9,9,9,9]]", "10 -2 -2"},
	} {
		shape := []int64{tt.height, tt.width/2 + 1}
		g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Outputs: []int32{3}, Tensors: []model.Tensor{tensor(model.Float32, tt.rows, tt.columns),
			constant(tensor(model.Int32, 2), int32s(tt.height, tt.width)), tensor(model.Complex64, shape...), tensor(model.Float32, shape...)},
			Operators: []tflitegen.Operator{{Code: "RFFT2D", Inputs: []int32{0, 1}, Outputs: []int32{2}}, {Code: tt.part, Inputs: []int32{2}, Outputs: []int32{3}}}}
		if got := execute(t, tflitegen.Model(g), tt.arg)[0]; got != tt.want {
			t.Errorf("%s of %s is %s, and should be %s", tt.part, tt.arg, got, tt.want)
		}
	}
}
