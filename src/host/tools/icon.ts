import { isRecord } from '../../base/values/record.ts';
import { decodeContent } from '../results/mediaContent.ts';
import { imageSize } from './imageSize.ts';

/** The background for which an icon is needed. */
export type IconTheme = 'light' | 'dark';

/** Pixels on each side; rows of a tree show sixteen. */
const MAX_SIDE = 512;

/** How many icons of one thing are considered. */
const MAX_CANDIDATES = 8;

/**
 * The icon to show on a background, as a `data:` URI whose bytes were checked; undefined if there is none.
 * `icons` is what the server sent (2025-11-25, basic: `icons`). Only embedded images are shown, so
 * that nothing is fetched; only PNG, JPEG, GIF and WebP, by their first bytes, because an SVG can contain more
 * than an image; and only up to `maxBytes` bytes.
 */
export function iconFor(icons: unknown, theme: IconTheme, maxBytes: number): string | undefined {
  const candidates = Array.isArray(icons) ? icons.slice(0, MAX_CANDIDATES).filter(isIcon) : [];
  const other: IconTheme = theme === 'light' ? 'dark' : 'light';
  // An icon for the other background is better than none.
  const ranked = [theme, undefined, other].flatMap((wanted) =>
    candidates.filter((icon) => themeOf(icon) === wanted),
  );
  return ranked.find(({ src }) => isFitToShow(src, maxBytes))?.src;
}

interface Icon {
  readonly src: string;
  readonly theme?: unknown;
}

function isIcon(value: unknown): value is Icon {
  return isRecord(value) && typeof value['src'] === 'string';
}

function themeOf({ theme }: Icon): IconTheme | undefined {
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

function isFitToShow(src: string, maxBytes: number): boolean {
  // Base64 has four characters for three bytes.
  if (src.length > 32 + Math.ceil(maxBytes / 3) * 4) {
    return false;
  }
  const [, mimeType, data] =
    /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/.exec(src) ?? [];
  const content = mimeType === undefined ? undefined : decodeContent(data, mimeType, 'icon');
  if (content?.kind !== 'media' || content.media.bytes.length > maxBytes) {
    return false;
  }
  const { bytes } = content.media;
  const size = imageSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), content.media.mimeType);
  return size !== undefined && isSide(size.width) && isSide(size.height);
}

function isSide(pixels: number): boolean {
  return pixels > 0 && pixels <= MAX_SIDE;
}
