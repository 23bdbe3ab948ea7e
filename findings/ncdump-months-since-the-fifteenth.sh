#!/usr/bin/env bash
# ncdump: one month since the 15th of January is the first of February.
#
# With -t times are shown as dates. In months and years the day of what they are counted from is lost, but for 0: one month since the 15th of January is 17
# days later, two months are 46, and a year since the 15th of March is 14 days short. Times in days are right.
# Seen in netcdf-bin 1:4.9.0-3+b1 of Debian.
source "$(dirname "$0")/debian.bash"
unpack netcdf-bin=1:4.9.0-3+b1 libnetcdf19=1:4.9.0-3+b1 libhdf5-103-1=1.10.8+repack1-1 libhdf5-hl-100=1.10.8+repack1-1 libaec0=1.0.6-1+b1 libsz2=1.0.6-1+b1
export LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cat >in.cdl <<'CDL'
netcdf in {
dimensions: n = 3;
variables:
  double months(n); months:units = "months since 2000-01-15";
  double years(n); years:units = "years since 2000-03-15";
  double days(n); days:units = "days since 2000-01-15";
data:
  months = 0, 1, 2; years = 0, 1, 2; days = 0, 31, 60;
}
CDL
root/usr/bin/ncgen -o in.nc in.cdl
root/usr/bin/ncdump -t in.nc | grep '= "20' | tee out
diff out - <<'OUT'
 months = "2000-01-15", "2000-02-01", "2000-03-01" ;
 years = "2000-03-15", "2001-03-01", "2002-03-01" ;
 days = "2000-01-15", "2000-02-15", "2000-03-15" ;
OUT
echo 'as found: months begin on the first day, whatever day they are counted from'
