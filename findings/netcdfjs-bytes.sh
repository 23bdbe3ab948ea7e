#!/usr/bin/env bash
# netcdfjs: three bytes are read as four lists of one number each, with 254 for -2.
#
# A NetCDF file of version 3 fills up variables of one and two bytes to a multiple of four, and its bytes have a sign. The file has the bytes 1, -2, 3 and the
# shorts 1, -2, 300. Here what fills up is read as one more element, 129 and -32767, bytes have no sign, and each stands in a list of its own. Shorts do have
# their sign. Of four bytes, and of two or four shorts, no number is wrong but for the sign.
# Seen in netcdfjs 4.0.0 of npm; the file is one that python3-netcdf4 1.6.2 of Debian has written, and it reads the three numbers.
source "$(dirname "$0")/npm.bash"
need netcdfjs@4.0.0
cat >main.mjs <<'PROGRAM'
import { NetCDFReader } from 'netcdfjs';
const file = '43444601000000000000000a000000010000000178000000000000030000000000000000' + // a dimension x = 3
  '0000000b0000000200000001620000000000000100000000000000000000000000000001000000040000007400000001730000000000000100000000' + // b(x) and s(x)
  '0000000000000000000000030000000800000078' + '01fe0381' + '0001fffe012c8001';
const reader = new NetCDFReader(Buffer.from(file, 'hex'));
for (const { name, size, type } of reader.variables) console.log(type, size, 'bytes:', JSON.stringify(reader.getDataVariable(name)));
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
byte 4 bytes: [[1],[254],[3],[129]]
short 8 bytes: [1,-2,300,-32767]
OUT
echo 'as found: three bytes are four'
