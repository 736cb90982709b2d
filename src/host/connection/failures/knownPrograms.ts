/** A program that often starts servers, and the page of its maker that says how to install it. */
export interface Program {
  readonly name: string;
  readonly address: string;
}

const node: Program = { name: 'Node.js', address: 'https://nodejs.org/en/download' };
const uv: Program = { name: 'uv', address: 'https://docs.astral.sh/uv/getting-started/installation/' };
const docker: Program = { name: 'Docker', address: 'https://docs.docker.com/get-started/get-docker/' };
const python: Program = { name: 'Python', address: 'https://www.python.org/downloads/' };
const bun: Program = { name: 'Bun', address: 'https://bun.sh/docs/installation' };
const pnpm: Program = { name: 'pnpm', address: 'https://pnpm.io/installation' };
const dotnet: Program = { name: '.NET', address: 'https://dotnet.microsoft.com/download' };

/** Programs by the commands they install. No other address is opened. */
const programs: ReadonlyMap<string, Program> = new Map([
  ['node', node],
  ['npm', node],
  ['npx', node],
  ['pnpm', pnpm],
  ['pnpx', pnpm],
  ['bun', bun],
  ['bunx', bun],
  ['uv', uv],
  ['uvx', uv],
  ['python', python],
  ['python3', python],
  ['py', python],
  ['pip', python],
  ['pip3', python],
  ['pipx', { name: 'pipx', address: 'https://pipx.pypa.io/stable/installation/' }],
  ['docker', docker],
  ['podman', { name: 'Podman', address: 'https://podman.io/docs/installation' }],
  ['deno', { name: 'Deno', address: 'https://docs.deno.com/runtime/getting_started/installation/' }],
  ['dotnet', dotnet],
  ['dnx', dotnet],
  ['go', { name: 'Go', address: 'https://go.dev/doc/install' }],
  ['cargo', { name: 'Rust', address: 'https://www.rust-lang.org/tools/install' }],
  ['git', { name: 'Git', address: 'https://git-scm.com/downloads' }],
]);

/** The program that installs a command; the command has no folder in its name. */
export function programOf(command: string): Program | undefined {
  return programs.get(command);
}
