// The script of every panel: it runs the page that the body names. Together they are far smaller than apart.
switch (document.body.dataset['page']) {
  case 'review':
    void import('./review.ts');
    break;
  case 'server':
    void import('./server.ts');
    break;
  case 'request':
    void import('./request.ts');
    break;
  case 'overview':
    void import('./serverPage.ts');
    break;
  default:
}
