/** The width and height of an image in pixels, as its header says; undefined if it says nothing readable. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the header of an image of one of the four types that this host shows as icons. */
export function imageSize(bytes: Buffer, mimeType: string): ImageSize | undefined {
  try {
    switch (mimeType) {
      case 'image/png':
        return bytes.toString('latin1', 12, 16) === 'IHDR'
          ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
          : undefined;
      case 'image/gif':
        return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
      case 'image/jpeg':
        return sizeOfJpeg(bytes);
      case 'image/webp':
        return sizeOfWebp(bytes);
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined; // the header ends too early
    }
    throw error;
  }
}

/** The size is in the first frame header (ITU T.81, B.2.2), behind any number of other segments. */
function sizeOfJpeg(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Three kinds of first chunk, each with the size at another place (RFC 9649). */
function sizeOfWebp(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
