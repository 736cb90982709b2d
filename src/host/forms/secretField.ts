import { namesSecret } from '../../base/text/secretShapes.ts';

const secretWords =
  /pass-?(?:word|wd|code|phrase)|passwort|kennwort|contrase[nñ]|mot de passe|\bsenha\b|парол|密码|密碼|パスワード|비밀번호|\bpwd\b|\bsecrets?\b|\bcredentials?\b|\b(?:api|access|account|auth|encryption|license|private|secret|signing|ssh)[\s_-]?keys?\b|\b(?:pin|otp|cvv|cvc|2fa|mfa)\b|\bone-time (?:code|password)|\b(?:recovery|seed|backup|verification) (?:code|key|phrase)|\bcard number|\bsocial security/iu;
const tokenWord = /\btokens?\b|\bjwt\b|\bbearer\b/iu;

/** A clause that asks not to enter something. */
const warning =
  /\b(?:do not|don['’]t|never) (?:enter|give|include|provide|send|share|type)\b(?:(?!\b(?:but|except|only)\b)[^.:;!?()\n])*(?=[.:;!?()\n]|$)/giu;

/** Words of a name in camelCase or with underscores, separated by spaces. */
function spaced(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_.]+/g, ' ');
}

function wordsIn(text: string): string {
  return spaced(text.normalize('NFKC')).replaceAll(warning, '');
}

/**
 * Whether a text asks for a password, a token or a key (client/elicitation: servers must not request them in a form).
 * Letters that only look different count as well, and so do some other languages.
 */
export function asksForSecret(text: string): boolean {
  const words = wordsIn(text);
  return secretWords.test(words) || tokenWord.test(words);
}

/** As `asksForSecret`, for a field by its name, and by what the server says about it. */
export function isSecretField(name: string, texts: readonly string[], isNumber: boolean): boolean {
  // A number of tokens is an amount.
  const isSecretText = isNumber ? (text: string): boolean => secretWords.test(wordsIn(text)) : asksForSecret;
  return (!isNumber && namesSecret(name)) || [name, ...texts].some(isSecretText);
}
