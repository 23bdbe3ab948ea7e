#!/usr/bin/env bash
# UTIF: of an image that is stored as three planes the first plane is spread over all colours.
#
# The file has a plane for each of red, green and blue, of 2x2 pixels in steps of 10. Four bytes are decoded, 0, 10, 20, 30, those of the first plane; they are
# then taken for pixels with three bytes each: the first has 0, 10, 20, the second 30, 0, 0, and the rest is black. There is no error. geotiff reads the same
# file right.
# Seen in utif 3.1.0 and geotiff 3.0.5 of npm; the file is one that python3-tifffile 20230203-1 of Debian has written.
source "$(dirname "$0")/npm.bash"
need utif@3.1.0 geotiff@3.0.5
cat >main.mjs <<'PROGRAM'
import { fromArrayBuffer } from 'geotiff';
import UTIF from 'utif';
const file = new Uint8Array(Buffer.from('49492a00080000000d000001040001000000020000000101040001000000020000000201030003000000aa0000000301030001000000010000000601030001000000020000001101040003' +
  '000000b00000001501030001000000030000001601040001000000020000001701030003000000bc0000001a01050001000000c20000001b01050001000000ca0000001c01030001000000' +
  '0200000028010300010000000100000000000000080008000800e0000000e4000000e8000000040004000400010000000100000001000000010000000000000000000000000000000000' +
  '000a141e28323c46505a646e', 'hex')).buffer;
const [image] = UTIF.decode(file);
UTIF.decodeImage(file, image);
const rgba = UTIF.toRGBA8(image), planes = await (await (await fromArrayBuffer(file)).getImage()).readRasters();
for (let i = 0; i < 4; i++) console.log('UTIF', rgba.slice(4 * i, 4 * i + 3).join(), 'geotiff', planes.map(p => p[i]).join());
PROGRAM
node main.mjs | tee out
diff out - <<'OUT'
UTIF 0,10,20 geotiff 0,40,80
UTIF 30,0,0 geotiff 10,50,90
UTIF 0,0,0 geotiff 20,60,100
UTIF 0,0,0 geotiff 30,70,110
OUT
echo 'as found: one plane is three'
