import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from './chromiumPath.mjs';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error('There is no Chromium: node test/editor/setup.mjs installs it or says how.');
  }
  return chromium.launch({ executablePath, headless: true, args: quiet });
}
