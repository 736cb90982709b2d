import { latinText, normalizedText } from '../../base/text/normalizedText.ts';
import { namesSecret } from '../../base/text/secretShapes.ts';

/** A list of words, as texts are compared with them. */
function words(list: string): readonly string[] {
  return list.split('\n').flatMap((line) => normalizedText(line.trim()).split(/, /).filter(Boolean));
}

/** One word. */
const secretWords = new Set(
  words(`password, passwords, passwort, passworter, passwd, passwds, pwd, passcode, passcodes, passphrase, passphrases
    passkey, passkeys, pin, pins, otp, totp, cvv, cvc, 2fa, mfa, secret, secrets, credential, credentials, mnemonic, pat, pats
    kennwort, geheimzahl, zugangsdaten, mdp, contraseña, contraseñas, senha, senhas, wachtwoord, wachtwoorden, lösenord
    adgangskode, kodeord, passord, salasana, hasło, hasła, heslo, jelszó, parola, parolă, parole, şifre, şifreniz
    κωδικός, συνθηματικό, пароль, пароли, пароля, парола, лозинка, סיסמה, סיסמא, पासवर्ड, sandi`),
);
/** One word, unless a number is asked for: a number of tokens is an amount, and a seed begins random numbers. */
const wordsInTexts = new Set(words('token, tokens, jwt, bearer, seed, seeds, cookie, cookies'));
/** Several words. */
const phrases =
  words(`pass word, pass words, pass code, pass phrase, pass key, mot de passe, mots de passe, code secret
    palavra passe, parola d ordine, social security, card number, kata sandi, mật khẩu, código de acceso, clave de acceso
    كلمة المرور, كلمة السر, one time code, sign in code, seed phrase, seed words, recovery phrase, backup phrase, session id`);
const keyKinds = new Set(
  words(`api, access, account, auth, encryption, license, private, secret, signing, ssh, gpg, pgp, recovery, security
    master, admin, service, deploy, wallet, backup, verification, host`),
);
/** Without spaces around them, as in Chinese, or as in paths. */
const parts =
  words(`密码, 密碼, 口令, 令牌, 密钥, 密鑰, 验证码, 驗證碼, パスワード, 暗証番号, 認証コード, 비밀번호, 암호, รหัสผ่าน
    .ssh, id_rsa, id_ed25519, .pem, .netrc, .aws/credentials`);

/** What makes a code one that proves who you are. */
const codeKinds = new Set(
  words(`digit, digits, sms, texted, authenticator, verification, otp, confirmation, login, auth, recovery
    backup, security, access, emailed`),
);
/** What makes it one that everybody may know. */
const publicCodes = new Set(
  words('zip, postal, post, area, country, language, currency, color, source, error, status'),
);

const askingVerbs = new Set(
  words(
    'enter, give, include, provide, send, share, type, put, write, paste, use, add, fill, supply, tell, submit',
  ),
);
const exceptions = new Set(['but', 'except', 'only']);

/**
 * Whether a text asks for a password, a token or a key (client/elicitation: servers must not request them in a form): by
 * the words of twenty languages, also where letters only look like them. It is a list, and misses some.
 */
export function asksForSecret(text: string, isNumber = false): boolean {
  const normalized = normalizedText(text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'));
  const latin = latinText(normalized);
  return (latin === normalized ? [normalized] : [normalized, latin]).some((form) => isAsking(form, isNumber));
}

/** As `asksForSecret`, for a field by its name, and by what the server says about it. */
export function isSecretField(name: string, texts: readonly string[], isNumber: boolean): boolean {
  return (!isNumber && namesSecret(name)) || [name, ...texts].some((text) => asksForSecret(text, isNumber));
}

function isAsking(normalized: string, isNumber: boolean): boolean {
  return (
    parts.some((part) => normalized.includes(part)) ||
    normalized.split(/[.:;!?()\n]/).some((clause) => namesSecretIn(askedFor(clause), isNumber))
  );
}

function namesSecretIn(asked: readonly string[], isNumber: boolean): boolean {
  const all = ` ${asked.join(' ')} `;
  const isCode = asked.some((word) => word === 'code' || word === 'codes');
  return (
    asked.some(
      (word, index) =>
        secretWords.has(word) ||
        (!isNumber && wordsInTexts.has(word)) ||
        ((word === 'key' || word === 'keys') && keyKinds.has(asked[index - 1] ?? '')),
    ) ||
    phrases.some((phrase) => all.includes(` ${phrase} `)) ||
    (isCode && asked.some((word) => codeKinds.has(word)) && !asked.some((word) => publicCodes.has(word)))
  );
}

/** The words of a clause without what you are asked not to enter. */
function askedFor(clause: string): readonly string[] {
  const asked: string[] = [];
  let isNegated = false;
  let before = '';
  for (const [word] of clause.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (askingVerbs.has(word)) {
      // "Do not include spaces and enter your password" asks; "don't enter or share it" does not.
      isNegated = isNegation(before) || (isNegated && before === 'or');
    } else if (exceptions.has(word)) {
      isNegated = false;
    }
    if (!isNegated) {
      asked.push(word);
    }
    before = word;
  }
  return asked;
}

/** Whether a verb after this word says what not to do; "don't" is two words here. */
function isNegation(word: string): boolean {
  return ['not', 'never', 't', 'dont', 'cannot'].includes(word);
}
