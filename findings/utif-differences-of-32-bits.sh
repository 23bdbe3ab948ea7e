#!/usr/bin/env bash
# UTIF: where numbers of 32 bits are stored as differences, the bytes are added up without a carry.
#
# The file has the numbers 100, 300, 8 with the horizontal predictor. For 16 bits the differences are added as numbers; for 32 bits each byte is added by
# itself, so that the second number is 44 and the third 4294966792. Only numbers below 256 that grow are right. geotiff reads the same file right.
# Seen in utif 3.1.0 and geotiff 3.0.5 of npm; the file is one that python3-tifffile 20230203-1 of Debian has written.
source "$(dirname "$0")/npm.bash"
need utif@3.1.0 geotiff@3.0.5
cat >main.mjs <<'PROGRAM'
import { fromArrayBuffer } from 'geotiff';
import UTIF from 'utif';
const file = new Uint8Array(Buffer.from('49492a00080000000d000001040001000000030000000101040001000000010000000201030001000000200000000301030001000000080000000601030001000000010000001101040001' +
  '000000c00000001501030001000000010000001601040001000000010000001701040001000000130000001a01050001000000aa0000001b01050001000000b20000002801030001000000' +
  '010000003d01030001000000020000000000000001000000010000000100000001000000000000000000' +
  '789c4b6160603801c477fefdff0f0014630505', 'hex')).buffer;
const [image] = UTIF.decode(file);
UTIF.decodeImage(file, image);
console.log('UTIF', new Uint32Array(Uint8Array.from(image.data).buffer).join());
console.log('geotiff', (await (await (await fromArrayBuffer(file)).getImage()).readRasters())[0].join());
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
UTIF 100,44,4294966792
geotiff 100,300,8
OUT
echo 'as found: 300 is 44'
