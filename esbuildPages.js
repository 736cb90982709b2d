// How the pages of the panels are bundled: one script for all of them, and a style sheet for each. The tests of the pages
// bundle them the same way.

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
    entryPoints: {
      'webview/review': 'src/webview/review.css',
      'webview/server': 'src/webview/server.css',
      'webview/request': 'src/webview/request.css',
    },
    bundle: true,
  },
];
