// Packages the extension into mcp-host.vsix. What .vscodeignore lists goes to `out/package/` first, where README.md becomes
// what the editor can show.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { extensionPage, overview } from './packedReadme.js';

const folder = 'out/package';
const built = spawnSync(process.execPath, ['esbuild.js', '--production'], { stdio: 'inherit' });
if (built.status !== 0) {
  process.exit(1);
}
const files = await listFiles({ packageManager: PackageManager.None });
rmSync(folder, { recursive: true, force: true });
files.forEach((file) => cpSync(file, join(folder, file)));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
delete manifest.scripts;
delete manifest.devDependencies;
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
const readme = readFileSync('README.md', 'utf8');
writeFileSync(join(folder, 'README.md'), extensionPage(readme, manifest.repository));
writeFileSync(
  join(folder, 'overview.md'),
  overview(readme, (file) => existsSync(join(folder, file))),
);
await createVSIX({
  cwd: folder,
  packagePath: join(process.cwd(), 'mcp-host.vsix'),
  dependencies: false,
  allowMissingRepository: manifest.repository === undefined,
  rewriteRelativeLinks: false,
});
