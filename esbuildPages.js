// How the pages of the panels are bundled: one script for all of them, and one style sheet. The tests of the pages bundle them
// the same way.

/** @type {import('esbuild').BuildOptions[]} */
export const pageBundles = [
  {
    entryPoints: { 'webview/pages': 'src/webview/pages.ts' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
  },
  {
    entryPoints: { 'webview/pages': 'src/webview/pages.css' },
    bundle: true,
  },
];
