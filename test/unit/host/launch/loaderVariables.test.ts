import assert from 'node:assert/strict';
import { loaderVariables } from '../../../../src/host/launch/loaderTable.ts';
import { decidedBy, isLoaderVariable } from '../../../../src/host/launch/loaderVariables.ts';

suite('Loader variables', () => {
  const loaders = [
    'PATH Path NODE_OPTIONS LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP PERL5LIB',
    'RUBYOPT BASH_ENV ENV JAVA_TOOL_OPTIONS npm_config_registry npm_config_script_shell NPM_CONFIG_NODE_OPTIONS',
    'MAKEFLAGS MAKEFILES GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_DIR GIT_PROXY_COMMAND KUBECONFIG',
    'NODE_TLS_REJECT_UNAUTHORIZED NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE HTTP_PROXY',
    'http_proxy https_proxy all_proxy no_proxy PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX UV_DEFAULT_INDEX UV_PYTHON',
    'RUSTC RUSTC_WRAPPER RUSTFLAGS CARGO_HOME CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER GOPROXY GOFLAGS GOSUMDB',
    'GOCACHEPROG YARN_RC_FILENAME YARN_REGISTRY YARN_PLUGINS YARN_YARN_PATH COREPACK_NPM_REGISTRY BUN_OPTIONS',
    'LUA_INIT LUA_INIT_5_4 LUA_PATH_5_4 LUA_CPATH DOCKER_HOST DOCKER_CONFIG CONTAINER_HOST COMPOSE_FILE',
    'DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH PHPRC PHP_INI_SCAN_DIR _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS',
    'GRADLE_OPTS BASH_FUNC_ls%% PS4 PROMPT_COMMAND ZDOTDIR PSModulePath GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF',
    'AWS_CONFIG_FILE TAR_OPTIONS RIPGREP_CONFIG_PATH LESSOPEN DBUS_SESSION_BUS_ADDRESS MPLBACKEND GTK_MODULES',
    'PUPPETEER_EXECUTABLE_PATH PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST GLOBAL_AGENT_HTTP_PROXY CGI_HTTP_PROXY',
    'PREFIX _MEIPASS2 _PYI_APPLICATION_HOME_DIR CUDA_INJECTION64_PATH OMPI_MCA_mca_base_component_path',
    'PYSPARK_PYTHON SPARK_HOME GI_TYPELIB_PATH NODE_CONFIG_DIR TORCH_HOME JAVACMD TMPDIR TEMP',
  ];
  for (const name of loaders.flatMap((line) => line.split(' '))) {
    test(`include ${name}`, () => assert.ok(isLoaderVariable(name)));
  }

  const others = [
    'TOKEN API_KEY DEBUG LEVEL MY_PATH ENVIRONMENT NODE_ENV LDAP_URL PORT HOST TZ LANG GITHUB_TOKEN GITHUB_HOST',
    'GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL PYTHONUNBUFFERED PYTHONIOENCODING RUST_LOG RUST_BACKTRACE GOMAXPROCS USE_PROXY',
    'DATABASE_URL OPENAI_BASE_URL STACK_NAME WINERY_URL MIX_ENV FORCE_COLOR NO_COLOR CI DATA_DIR MAX_TOKENS',
  ];
  for (const name of ['', ...others.flatMap((line) => line.split(' '))]) {
    test(`do not include ${name || 'the empty name'}`, () => assert.ok(!isLoaderVariable(name)));
  }

  test('are found by each name of the table, in any case', () => {
    for (const { decides, names } of loaderVariables) {
      for (const name of names.filter((one) => !one.startsWith('!'))) {
        assert.equal(name, name.toUpperCase());
        for (const one of [name, name.toLowerCase()].map((text) => text.replaceAll('*', 'x'))) {
          assert.equal(decidedBy(one), decides, one);
        }
      }
    }
  });
});
