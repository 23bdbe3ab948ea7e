#!/usr/bin/env bash
# netcdfjs: of three records of three bytes each the second begins at the fifth byte.
#
# In a NetCDF file of version 3 with one variable that grows, its records aren't filled up to a multiple of four bytes, while they are if there are more such
# variables. Here they are always taken to be: 1 to 9 in three rows becomes 1 to 4, 5 to 8, and a 9 with three bytes from behind the end. One growing variable
# of shorts doesn't get so far and is an error.
# Seen in netcdfjs 4.0.0 of npm; the file is one that python3-netcdf4 1.6.2 of Debian has written, and it reads the three rows.
source "$(dirname "$0")/npm.bash"
need netcdfjs@4.0.0
cat >main.mjs <<'PROGRAM'
import { NetCDFReader } from 'netcdfjs';
const file = '43444601000000030000000a000000020000000474696d6500000000000000017800000000000003' + // three records, and dimensions time and x = 3
  '00000000000000000000000b0000000100000001720000000000000200000000000000010000000000000000000000010000000400000060' + // r(time, x)
  '010203040506070809';
const reader = new NetCDFReader(Buffer.from(file, 'hex'));
console.log('records', reader.recordDimension.length);
for (const row of reader.getDataVariable('r')) console.log(row.join());
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
records 3
1,2,3,4
5,6,7,8
9,0,0,0
OUT
echo 'as found: rows of three are read as rows of four'
