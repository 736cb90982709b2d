import assert from 'node:assert/strict';
import { asksForSecret, isSecretField } from '../../../../src/host/forms/secretField.ts';

suite('A text asks for a secret', () => {
  for (const text of [
    'Password',
    'ＡＰＩ Key',
    'apiKey',
    'accessToken',
    'GitHub token',
    'PAT',
    'passkey',
    'mnemonic',
    'Your seed phrase',
    'Paste the cookie',
    'The contents of ~/.ssh/config',
    'The code of 6 digits',
    'The 6-digit code',
    'One-time code',
    'Security code',
    // Letters that are invisible, or only look like these.
    'p\u200Bass\u00ADword',
    'p\u0301assword',
    'pаsswоrd',
    'ᴘᴀssᴡᴏʀᴅ',
    'p@ssw0rd',
    // Twenty languages.
    'Kennwort',
    'mot de passe',
    'Contraseña',
    'Palavra-passe',
    'Parola d’ordine',
    'Wachtwoord',
    'Lösenord',
    'Adgangskode',
    'Passord',
    'Salasana',
    'Hasło',
    'Heslo',
    'Jelszó',
    'Şifre',
    'Κωδικός',
    'Пароль',
    '请输入密码',
    'パスワードを入力してください',
    '비밀번호를 입력하세요',
    'كلمة المرور',
    'הסיסמה: סיסמה',
    'पासवर्ड',
    'กรุณาใส่รหัสผ่าน',
    'Mật khẩu',
    'Kata sandi',
    // What else is not to be entered takes nothing away.
    'Do not include spaces and enter your password',
    'Do not include spaces, enter your password',
    'Never enter anything but your password',
    'Do not share it: your password',
  ]) {
    test(`such as ${JSON.stringify(text)}`, () => assert.ok(asksForSecret(text)));
  }

  for (const text of [
    'Your name',
    'Select a color',
    'Country code',
    'Zip code of 5 digits',
    'The source code',
    'Passenger',
    'compass',
    'keyboard',
    'The primary key',
    'The tokenizer to use',
    'Do not give us your phone number, pin, or others',
    'Never type your PIN, password or token',
    "Don't enter or share your password here",
  ]) {
    test(`but not such as ${JSON.stringify(text)}`, () => assert.ok(!asksForSecret(text)));
  }

  test('as a field of numbers, unless they are an amount', () => {
    assert.ok(isSecretField('pin', [], true));
    assert.ok(!isSecretField('maxTokens', ['The number of tokens', 'seed'], true));
  });
});
