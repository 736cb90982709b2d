/** Gives each line of standard input to a server, and ends the program with its input. */
export function serveLines(receive: (line: string) => void): void {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    // Not with readline: it would also end a line at U+2028, which JSON may contain.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    lines.filter((line) => line.trim() !== '').forEach(receive);
  });
  process.stdin.on('end', () => process.exit());
  // Nobody reads the output any longer.
  process.stdout.on('error', () => process.exit());
}
