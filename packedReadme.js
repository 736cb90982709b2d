// What becomes of README.md in the package. On the page of an installed extension, VS Code shows only pictures of https
// addresses, and opens no other links. As long as package.json has no `repository`, the page has no pictures, and its links
// lead to the list of documents; `overview.md`, which "Open Documentation…" shows, has them all.

/**
 * A picture or a link with a relative address.
 * @typedef {{ isPicture: boolean, title: string, link: string }} Reference
 */

const withPictures = 'To read this with pictures, run _MCP Host: Open Documentation…_ and select _Overview_.';

/**
 * The page of the extension, in the editor and in the Marketplace.
 * @param {string} readme
 * @param {string | undefined} repository The address of the repository, with files at `/blob/HEAD/` and pictures at `/raw/HEAD/`.
 */
export function extensionPage(readme, repository) {
  if (repository !== undefined) {
    return withReferences(readme, ({ isPicture, title, link }) =>
      isPicture
        ? `![${title}](${repository}/raw/HEAD/${link})`
        : `[${title}](${repository}/blob/HEAD/${link})`,
    );
  }
  const [before = '', list = ''] = forUsers(readme).split(/^(?=## Documentation$)/m);
  const page = withReferences(before, ({ isPicture, title, link }) =>
    isPicture ? '' : link.startsWith('docs/') ? `[${title}](#documentation)` : title,
  );
  return page.replace('\n## ', `\n${withPictures}\n\n## `) + withReferences(list, ({ title }) => title);
}

/**
 * The same as a document in the package.
 * @param {string} readme
 * @param {(file: string) => boolean} isPackaged
 */
export function overview(readme, isPackaged) {
  return withReferences(forUsers(readme), ({ isPicture, title, link }) => {
    if (!isPackaged(link.replace(/#.*/, ''))) {
      return isPicture ? '' : title;
    }
    return `${isPicture ? '!' : ''}[${title}](${link})`;
  });
}

/**
 * Without what needs a clone of the repository.
 * @param {string} readme
 */
function forUsers(readme) {
  return readme
    .replace(/^## Two commands for developers\n[^]*?(?=^## )/m, '')
    .replace(/^- For developers:[^]*$/m, '');
}

/**
 * @param {string} text
 * @param {(reference: Reference) => string} replace
 */
function withReferences(text, replace) {
  return text
    .replaceAll(/(!?)\[([^[\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_, mark, title, link) =>
      replace({ isPicture: mark === '!', title, link }),
    )
    .replaceAll(/\n(\s*\n){2,}/g, '\n\n');
}
