// What tests may give to the editor, each with its reason: everything else is as you have it. A test that changes how
// windows, dialogs, notifications or the focus appear hides what people see.

/** Why something may be given, and the only values of it that may be; undefined unsets it. */
interface Given {
  readonly why: string;
  readonly values?: readonly unknown[];
}

type Allowed = Readonly<Record<string, Given>>;

const settings: Allowed = {
  // Exceptions, because tests would see less than you otherwise, or nothing else.
  'security.workspace.trust.startupPrompt': {
    why: 'On a desktop, the question of trust is asked when the window opens; in a browser it is not.',
    values: ['always'],
  },
  'workbench.reduceMotion': {
    why: 'What fades in and out costs time, and shows nothing else.',
    values: ['on'],
  },
  // Nothing goes out.
  'extensions.autoCheckUpdates': { why: 'There is no gallery.', values: [false] },
  'extensions.autoUpdate': { why: 'There is no gallery.', values: [false] },
  'telemetry.telemetryLevel': { why: 'A test sends nothing about itself.', values: ['off'] },
  'update.mode': { why: 'The editor stays the version that is tested.', values: ['none'] },
  'workbench.enableExperiments': { why: 'The editor is the same in each run.', values: [false] },
  'remote.autoForwardPorts': {
    why: 'The editor would open a page of its own for each port of a server of a test.',
    values: [false],
  },
  'workbench.startupEditor': {
    why: 'The editor never ticks a step of the walkthrough twice in a window, which journeys share.',
    values: ['none'],
  },
  // How the driver uses lists: what they show is the same.
  'workbench.tree.enableStickyScroll': {
    why: 'A row is in a tree once, where a test looks for it.',
    values: [false],
  },
  'workbench.list.mouseWheelScrollSensitivity': { why: 'A long list is read in fewer steps.' },
  // What a test is about.
  'workbench.colorTheme': { why: 'Pictures and contrasts in each kind of theme.' },
  'chat.tools.global.autoApprove': { why: 'MCP Host asks also where the editor asks about no tool.' },
  'chat.mcp.autostart': { why: "When agent mode starts servers is the user's choice.", values: ['never'] },
  'chat.mcp.workspaceRootConfig.enabled': { why: 'The editor runs the servers of a .mcp.json itself.' },
  'chat.mcp.discovery.enabled': { why: "The editor runs the servers of Copilot's file itself." },
  'chat.mcp.access': {
    why: 'No server runs where the settings turn them off.',
    values: ['none', 'registry'],
  },
  'chat.disableAIFeatures': { why: 'What MCP Host offers without a chat.', values: [true] },
  'http.proxy': { why: 'Servers are reached through a proxy.' },
};

const configuration: Allowed = {
  enabledExtensions: {
    why: 'Copilot Chat comes with the editor, and is switched off in this one.',
    values: [['GitHub.copilot-chat']],
  },
};

const parameters: Allowed = {
  '--disable-workspace-trust': { why: 'Trust is off where it is not what a test is about.' },
  '--vscode-option enable-smoke-test-driver': {
    why: 'Tests inside the extension host end by it. It answers dialogs, so journeys do without it.',
  },
  '--auth=none': { why: 'The server listens for this machine only.' },
  '--disable-telemetry': { why: 'A test sends nothing about itself.' },
  '--disable-update-check': { why: 'The editor stays the version that is tested.' },
  '--disable-getting-started-override': {
    why: "The page is code-server's own, which VS Code does not have.",
  },
};

const payload: Allowed = {
  extensionDevelopmentPath: { why: 'The extension whose host runs the tests.' },
  extensionTestsPath: { why: 'The tests.' },
  skipWelcome: { why: 'No welcome page in front of the tests.', values: ['true'] },
  skipReleaseNotes: { why: 'No release notes in front of the tests.', values: ['true'] },
};

const lists = { settings, configuration, parameters, payload };

/**
 * Returns the same, if tests may give it to the editor. Settings of MCP Host itself may always be given.
 *
 * @throws Error that names what may not.
 */
export function given<T extends Readonly<Record<string, unknown>>>(kind: keyof typeof lists, options: T): T {
  for (const [name, value] of Object.entries(options)) {
    const allowed = lists[kind][name];
    const isOwn = kind === 'settings' && name.startsWith('mcpHost.');
    const isUnset = value === undefined || value === null;
    const isAllowed = ({ values }: Given): boolean =>
      isUnset || values === undefined || values.some((one) => JSON.stringify(one) === JSON.stringify(value));
    if (!isOwn && !(allowed && isAllowed(allowed))) {
      throw new Error(
        `A test must not give '${name}' (${JSON.stringify(value)}) to the editor: use the editor as people have it, ` +
          'or add it with its reason to test/editor/givenOptions.ts.',
      );
    }
  }
  return options;
}

/** As {@link given}, for parameters of the command line. */
export function givenParameters(named: readonly string[]): readonly string[] {
  given('parameters', Object.fromEntries(named.map((one) => [one, true])));
  return named.flatMap((one) => one.split(' '));
}
