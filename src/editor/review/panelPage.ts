import { contentPolicy } from './contentPolicy.ts';

/** What each page is called until its script has put in its content; a tab's title may have names of others in it. */
const pageTitles = {
  review: 'Review Questions',
  server: 'MCP Server',
  request: 'MCP Request',
  overview: 'MCP Server',
};

/** The page of a panel. */
export type PageName = keyof typeof pageTitles;

/** Where a page comes from. */
export interface PageSources {
  /** The value for `source` in a content policy. */
  readonly cspSource: string;
  readonly nonce: string;
  /** The address of a file that was built for the pages. */
  readonly source: (file: string) => string;
}

/** An empty page: the script of that name puts everything in, as text. Nothing comes from elsewhere. */
export function panelPage(name: PageName, { cspSource, nonce, source }: PageSources): string {
  const policy = contentPolicy(cspSource, nonce, name === 'request');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTitles[name]}</title>
<link rel="stylesheet" nonce="${nonce}" href="${source('pages.css')}">
</head>
<body data-page="${name}">
<script nonce="${nonce}" src="${source('pages.js')}"></script>
</body>
</html>`;
}
