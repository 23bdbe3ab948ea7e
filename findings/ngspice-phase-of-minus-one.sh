#!/usr/bin/env bash
# ngspice: the phase of -1 is 0, and that of i times i is π.
#
# Numbers without an imaginary part are kept as real ones, and these have no phase, whatever their sign. A product of complex numbers stays complex, and its
# phase is right. What shows the phase of a gain depends on whether an analysis or an expression made the number.
# Seen in ngspice 39.3+ds-1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack ngspice=39.3+ds-1
for e in 'ph(-1)' 'ph(j(1)*j(1))' 'ph(-1+0*j(1))' 'ph(j(1))' 'ph(-5)' '-5 = 5*j(1)*j(1)'; do
	printf 'a circuit\n.control\nprint %s\nquit\n.endc\n.end\n' "$e" >in.cir
	root/usr/bin/ngspice -b in.cir 2>/dev/null | grep ' = '
done | tee out
diff out - <<'OUT'
ph(-1) = 0.000000e+00
ph(j(1)*j(1)) = 3.141593e+00
ph(-1+0*j(1)) = 3.141593e+00
ph(j(1)) = 1.570796e+00
ph(-5) = 0.000000e+00
-5=5*j(1)*j(1) = 1.000000e+00
OUT
echo 'as found: -1 has two phases'
