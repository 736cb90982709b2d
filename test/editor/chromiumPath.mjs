// Finds a Chromium that is already on this machine; one without a window of its own takes less processor time.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of a Chromium: `CHROMIUM`, else one on the PATH, else one in its usual place; undefined if there is none. */
export function chromiumPath() {
  const chosen = process.env['CHROMIUM'];
  if (chosen) {
    if (!isExecutable(chosen)) {
      throw new Error(`CHROMIUM is '${chosen}', which cannot be run.`);
    }
    return chosen;
  }
  return [...onThePath(), ...usualPlaces()].find(isExecutable);
}

function onThePath() {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    return [
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
  }
  if (process.platform === 'win32') {
    return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => {
      const folder = process.env[name] ?? '';
      return [
        join(folder, 'Google/Chrome/Application/chrome.exe'),
        join(folder, 'Microsoft/Edge/Application/msedge.exe'),
      ];
    });
  }
  return ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/snap/bin/chromium'];
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
