import * as vscode from 'vscode';

/** What every file system of ours that can only be read refuses; it tells of changes by itself. */
export abstract class ReadonlyFiles {
  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
