# What the scripts about GNU Octave share: Debian's packages in a temporary folder, which is the current one.
#
# each evaluates the expressions on its standard input, one a line, and prints each with its value.
source "$(dirname "${BASH_SOURCE[0]}")/debian.bash"
unpack octave=7.3.0-2 octave-common=7.3.0-2 libaec0=1.0.6-1+b1 libamd2=1:5.12.0+dfsg-2 libarpack2=3.8.0-3 libcamd2=1:5.12.0+dfsg-2 libccolamd2=1:5.12.0+dfsg-2 \
	libcholmod3=1:5.12.0+dfsg-2 libcolamd2=1:5.12.0+dfsg-2 libcxsparse3=1:5.12.0+dfsg-2 libfftw3-double3=3.3.10-1 libfftw3-single3=3.3.10-1 \
	libgfortran5=12.2.0-14+deb12u1 libgl2ps1.4=1.4.2+dfsg1-2 libgraphicsmagick++-q16-12=1.4+really1.3.40-4+deb12u1 libgraphicsmagick-q16-3=1.4+really1.3.40-4+deb12u1 \
	libhdf5-103-1=1.10.8+repack1-1 libhwy1=1.0.3-3+deb12u1 libjxl0.7=0.7.0-10+deb12u1 libmetis5=5.1.0.dfsg-7 libopenblas0-pthread=0.3.21+ds-4 libpcre3=2:8.39-15 \
	libqrupdate1=1.1.2-4 libspqr2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2 libsz2=1.0.6-1+b1 libumfpack5=1:5.12.0+dfsg-2 libwebpmux3=1.2.4-0.2+deb12u1 \
	libwmflite-0.2-7=0.2.12-5.1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export OCTAVE_HOME=$dir/root/usr

each() {
	local line
	while read -r line; do printf '%s: ' "$line"; root/usr/bin/octave-cli --norc -q --eval "printf('%s\n', strtrim(regexprep(disp($line), '\s+', ' ')))" 2>/dev/null; done
}
