#!/usr/bin/env bash
# NCO: the mean of 2147483647, 2147483647, 1 and 1 is 1073741824 by ncwa, and 0 by ncap2.
#
# ncwa averages integers as floating-point numbers, and ncap2's method avg in the integers' own type, whose sum is 0: of four bytes of 100 it is -28. The
# total by ncwa is in the integers' type, too, and of these bytes it is -112, while their mean is 100.
# Seen in nco 5.1.4-1+deb12u1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack nco=5.1.4-1+deb12u1 netcdf-bin=1:4.9.0-3+b1 libnetcdf19=1:4.9.0-3+b1 libhdf5-103-1=1.10.8+repack1-1 libhdf5-hl-100=1.10.8+repack1-1 libaec0=1.0.6-1+b1 libsz2=1.0.6-1+b1 \
	libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1 libudunits2-0=2.2.28-5
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cat >in.cdl <<'CDL'
netcdf in {
dimensions: n = 4;
variables: int i(n); byte b(n);
data: i = 2147483647, 2147483647, 1, 1; b = 100, 100, 100, 100;
}
CDL
root/usr/bin/ncgen -o in.nc in.cdl
show() { root/usr/bin/ncdump out.nc | grep '= .* ;$' | grep -v '[:,]' | grep -v 'n = ' | tr -d '\n;'; }
{
	for operation in avg ttl; do
		root/usr/bin/ncwa -O -y $operation -a n in.nc out.nc
		echo "ncwa $operation:$(show)"
	done
	root/usr/bin/ncap2 -O -v -s 'mean_i=i.avg();mean_b=b.avg();total_b=b.total()' in.nc out.nc
	echo "ncap2:$(show)"
} | tee out
diff out - <<'OUT'
ncwa avg: i = 1073741824  b = 100 
ncwa ttl: i = 0  b = -112 
ncap2: mean_i = 0  mean_b = -28  total_b = -112 
OUT
echo 'as found: two tools have two means'
