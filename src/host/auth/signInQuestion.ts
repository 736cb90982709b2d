import { visibleParts } from '../../base/text/visibleText.ts';
import { capitalized } from '../../base/text/words.ts';
import { bulletLines, plain, type PanelText } from '../questions/panelText.ts';
import {
  askInDialog,
  type AskingServer,
  labelList,
  type Question,
  type QuestionKind,
  quotedLabels,
  type QuestionView,
} from '../questions/question.ts';
import { scopesIn } from './tokens/scopes.ts';
import { scopeWords } from './tokens/scopeWords.ts';
import { hostOf } from '../addresses/addressKind.ts';
import type { PlannedClient, SignInPlan } from './signInPlan.ts';

/** Whether you sign in to a server, or grant it more. */
export interface SignInQuestion extends Question<SignInAnswer> {
  readonly server: AskingServer;
  readonly plan: SignInPlan;
  /** Why you are asked again, as a clause; undefined for a first sign-in. */
  readonly reason: string | undefined;
}

export type SignInAnswer = 'signIn' | 'notNow';

/** A scope as it is asked for, in words if they are known. */
export interface ScopeView {
  readonly scope: PanelText;
  readonly words?: string;
  /** Your present sign-in doesn't have it. */
  readonly isAdded: boolean;
}

export interface SignInQuestionView extends QuestionView {
  readonly kind: 'signIn';
  readonly label: PanelText;
  readonly place: PanelText;
  /** Why you are asked again. */
  readonly reason?: PanelText;
  /** Who lets whom act for you, in a sentence. */
  readonly flow: PanelText;
  /** The address of the server. */
  readonly address: PanelText;
  readonly issuer: PanelText;
  /** Its host as the network has it (punycode). */
  readonly host: PanelText;
  readonly scopes: readonly ScopeView[];
  /** Which server the token is for, as the issuer gets it; undefined if it doesn't get that. */
  readonly resource?: PanelText;
  /** How this host is known at the issuer. */
  readonly oauthClient: PanelText;
  /** Where the browser brings the answer. */
  readonly answer: PanelText;
  readonly meaning: string;
}

export const signInQuestions = {
  name: 'signIn',
  serversOf: ({ server }) => [server],

  view: ({ server, plan, reason }, { id, placeOf, isRenewed }): SignInQuestionView => {
    const { owner, discovery, resource } = plan;
    const host = hostOf(discovery.issuer);
    return {
      kind: 'signIn',
      id,
      title: visibleParts(titleFor(server, plan)),
      isRenewed,
      label: visibleParts(server.label),
      place: visibleParts(placeOf(server.definition)),
      ...(reason !== undefined && { reason: visibleParts(`${capitalized(reason)}.`) }),
      flow: visibleParts(flowWords(plan, host, hostOf(owner.url))),
      address: visibleParts(shownAddress(owner.url)),
      issuer: visibleParts(discovery.issuer),
      host: visibleParts(host),
      scopes: scopesOf(plan),
      ...(resource !== undefined && { resource: visibleParts(resource) }),
      oauthClient: visibleParts(clientWords(plan.oauthClient, host)),
      answer: visibleParts(answerWords(plan)),
      warnings: warningsOf(plan).map((text) => visibleParts(text)),
      meaning: plan.added ? moreMeaning(host) : meaningOf(plan, host),
    };
  },

  text: (view: SignInQuestionView): string =>
    [
      ...(view.reason ? [plain(view.reason)] : []),
      `${plain(view.label)} is defined in: ${plain(view.place)}`,
      `Its address: ${plain(view.address)}`,
      `Who signs you in: ${plain(view.issuer)} (${plain(view.host)})`,
      plain(view.flow),
      '',
      ...bulletLines('It asks for:', view.scopes.map(scopeLine)),
      ...bulletLines('Look at this:', view.warnings ?? []),
      ...(view.resource ? [`The token is only for: ${plain(view.resource)}`] : []),
      plain(view.oauthClient),
      plain(view.answer),
      view.meaning,
    ].join('\n'),

  readAnswer: (_question, { answer }): SignInAnswer | undefined =>
    answer === 'signIn' || answer === 'notNow' ? answer : undefined,

  askInDialogs: (_question, dialogs) =>
    askInDialog<SignInAnswer>(dialogs, {
      noun: 'question',
      isForeign: true,
      choices: [
        { title: 'Not Now', isCloseAffordance: true, answer: 'notNow' },
        { title: 'Sign In', answer: 'signIn' },
      ],
    }),

  announcement: ([first, ...others]) =>
    first && others.length === 0 ? `The MCP server '${first.server.label}' wants you to sign in.` : undefined,

  answered: (question, answer) =>
    answer === 'signIn' ? `Signing in: ${labelList(question)}.` : `Not signed in: ${labelList(question)}.`,

  changed: (question) => `The question about signing in to ${quotedLabels(question)}`,
} as const satisfies QuestionKind<SignInQuestion, SignInAnswer>;

function flowWords({ oauthClient, how }: SignInPlan, issuer: string, server: string): string {
  if (oauthClient.kind === 'editor') {
    return `The token of the editor's ${oauthClient.editor.name} account, from ${issuer}, lets ${server} act for you.`;
  }
  return how === 'credentials'
    ? `A token from ${issuer} lets MCP Host use ${server}.`
    : `Sign in at ${issuer} to let ${server} act for you.`;
}

function titleFor({ label }: AskingServer, { added, how, oauthClient }: SignInPlan): string {
  if (added) {
    return `Grant '${label}' more permissions?`;
  }
  if (oauthClient.kind === 'editor') {
    return `Let '${label}' use your ${oauthClient.editor.name} account?`;
  }
  return how === 'credentials' ? `Let '${label}' use its client credentials?` : `Sign in to '${label}'?`;
}

function scopesOf({ scope, added, discovery }: SignInPlan): readonly ScopeView[] {
  return scopesIn(scope).map((one) => {
    const words = scopeWords(discovery.issuer, one);
    return {
      scope: visibleParts(one),
      ...(words !== undefined && { words }),
      isAdded: added?.includes(one) === true,
    };
  });
}

function scopeLine({ scope, words, isAdded }: ScopeView): PanelText {
  return [
    ...scope,
    ...visibleParts(`${words === undefined ? '' : ` (${words})`}${isAdded ? ', which is new' : ''}`),
  ];
}

/** An address without what may be a secret in it. */
function shownAddress(address: string): string {
  const url = new URL(address);
  [url.username, url.password, url.hash] = ['', '', ''];
  return url.search === '' ? url.href : `${url.origin}${url.pathname}?…`;
}

function clientWords(oauthClient: PlannedClient, host: string): string {
  switch (oauthClient.kind) {
    case 'preRegistered':
      return `At ${host}, MCP Host uses the client ID of the definition: ${oauthClient.clientId}`;
    case 'metadataDocument':
      return `At ${host}, MCP Host is known by the document ${oauthClient.clientId}${oauthClient.isPublished ? ' of its publisher' : ''}`;
    case 'known':
      return `MCP Host is registered at ${host} since an earlier sign-in.`;
    case 'register':
      return oauthClient.isAgain
        ? `MCP Host is registered at ${host} again when you sign in, because its registration there is not for all of these scopes.`
        : `MCP Host is registered at ${host} when you sign in.`;
    case 'editor':
      return `The editor's own ${oauthClient.editor.name} account is used, because ${host} registers no clients.`;
  }
}

function answerWords({ how, options, oauthClient }: SignInPlan): string {
  if (how === 'credentials') {
    return 'This needs no browser.';
  }
  if (how === 'editor') {
    return 'The editor keeps the token. MCP Host asks for it when a request needs it, and stores none.';
  }
  const before = oauthClient.kind === 'known' ? oauthClient.oauthClient.redirectUri : undefined;
  const fixed = options.redirectUri ?? before;
  return fixed === undefined
    ? 'The browser brings the answer back to this editor, to an address that is open only while you sign in.'
    : `The browser brings the answer back to ${fixed}, which is open only while you sign in.`;
}

function warningsOf({ options, discovery, resource, refused }: SignInPlan): readonly string[] {
  return [
    ...(discovery.skipped === undefined
      ? []
      : [`The server names another issuer first, which can't be used: ${discovery.skipped}`]),
    ...(refused
      ? [
          `The issuer has refused these scopes${refused.isLeftOut ? ', so that they are no longer asked for' : ''}: ${refused.scopes.join(' ')}`,
        ]
      : []),
    ...(discovery.metadata && !discovery.hasPkce && options.assumePkce === true
      ? ['The issuer does not say that it supports PKCE; your settings assume that it does.']
      : []),
    ...(discovery.resource && resource === undefined
      ? [
          'The issuer does not learn which server the token is for, so the token may be valid for other servers, too.',
        ]
      : []),
    ...(discovery.resource
      ? []
      : ['The server does not describe who signs you in, so MCP Host assumes it is the same host.']),
  ];
}

function moreMeaning(host: string): string {
  return `"Sign In" lets you grant at ${host} what is new. "Not Now" changes nothing: a call that needs it fails, and you are asked again only after you start the server.`;
}

function meaningOf({ how, oauthClient, owner }: SignInPlan, host: string): string {
  if (oauthClient.kind === 'editor') {
    return `"Sign In" lets the editor ask you which ${oauthClient.editor.name} account MCP Host may use; its token then goes to ${hostOf(owner.url)}. "Not Now" sends nothing, and the row of the server lets you sign in later.`;
  }
  return how === 'credentials'
    ? `"Sign In" sends the client's secret, or what its private key signs, to ${host}. "Not Now" sends nothing.`
    : `"Sign In" opens ${host} in your browser. "Not Now" opens nothing; you can sign in later from the row of the server.`;
}
