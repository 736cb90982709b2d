// Stands for the native module `@vscode/native-watchdog` in the test editor. That ends an extension host whose server
// has died while its code runs in an endless loop; who starts the test editor ends its whole process group instead.
'use strict';

exports.start = () => {};
/** @param {number} [code] */
exports.exit = (code) => process.exit(code);
