// What tests may change about the editor, with reasons: otherwise its own defaults hold, so that a test sees what you would
// see. Nothing here changes how windows, modals, notifications or the focus appear, but for the exceptions.

const exceptions = {
  'security.workspace.trust.startupPrompt':
    'asks about trust as a desktop does; never where a test opens the question itself',
  'workbench.reduceMotion': 'what fades in and out costs time',
};

const settings: Readonly<Record<string, string>> = {
  ...exceptions,
  'extensions.autoCheckUpdates': 'nothing goes out',
  'extensions.autoUpdate': 'nothing goes out',
  'remote.autoForwardPorts': 'nothing goes out',
  'telemetry.telemetryLevel': 'nothing goes out',
  'update.mode': 'nothing goes out',
  'workbench.enableExperiments': 'nothing goes out, and each run is the same',
  'workbench.list.mouseWheelScrollSensitivity': 'tests scroll long lists',
  'chat.tools.global.autoApprove': 'what agent mode asks by itself is not the subject',
  'chat.mcp.autostart': "the editor's own servers are not the subject",
};

const configuration: Readonly<Record<string, string>> = {
  enabledExtensions: 'Copilot Chat, which the editor turns off in a browser',
};

const parameters: Readonly<Record<string, string>> = {
  '--disable-workspace-trust': 'trust is off where it is not the subject',
  '--vscode-option': 'test extensions, and the driver that reports the end of a run',
  'enable-smoke-test-driver': 'reports the end of a run in the extension host',
};

/** @throws Error for a setting that isn't ours and isn't listed here. */
export function checkSettings(given: object): void {
  check('setting', Object.keys(given), (name) => name.startsWith('mcpHost.') || name in settings);
}

/** @throws Error for a part of the boot configuration that isn't listed here. */
export function checkConfiguration(given: object): void {
  check('part of the configuration', Object.keys(given), (name) => name in configuration);
}

/** @throws Error for an option of the command line that isn't listed here. */
export function checkParameters(given: readonly string[]): void {
  check('option', given, (name) => name in parameters);
}

function check(what: string, names: readonly string[], isAllowed: (name: string) => boolean): void {
  const others = names.filter((name) => !isAllowed(name));
  if (others.length > 0) {
    throw new Error(
      `Tests use the editor as it is: the ${what} ${others.join(', ')} is not listed in test/editor/allowedChanges.ts.`,
    );
  }
}
