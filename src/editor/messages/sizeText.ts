/** A number of bytes as a person reads it. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) {
    return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  }
  return bytes < 1_024 * 1_024
    ? `${(bytes / 1_024).toFixed(1)} KB`
    : `${(bytes / (1_024 * 1_024)).toFixed(1)} MB`;
}
