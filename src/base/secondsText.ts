/** A time as people read it: `0.5 s`, `4 s`, `2 min 5 s`. */
export function secondsText(ms: number): string {
  if (ms < 10_000) {
    return `${Math.round(ms / 100) / 10} s`;
  }
  const seconds = Math.round(ms / 1_000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes < 2 ? `${seconds} s` : rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
