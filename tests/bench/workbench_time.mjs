// How long the workbench's search takes from an empty browser to rows, for workbench.py: URL LOGIN PASSWORD ROUNDS.
// Writes {"cold": [ms, ...], "slow": [...]}: as it is, and with a quarter of a processor, 1.6 Mbit/s and 150 ms.
import { chromium } from 'playwright-core';

const [url, login, password, rounds] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: process.getuid() === 0 ? ['--no-sandbox'] : [] });

async function signedIn() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in as analyst' }).click();
  await page.getByLabel('User name').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

// The page tells by itself: whoever asks it meanwhile has it parse a script of his own, which took a tenth of the time.
const told = 'rows at ';
const tellRows = (told) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('tbody tr')) return;
    requestAnimationFrame(() => console.info(told + performance.now()));
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
};

async function timeOf(state, isSlow) {
  const context = await browser.newContext({ storageState: state });
  const page = await context.newPage();
  await page.addInitScript(tellRows, told);
  if (isSlow) {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  const [message] = await Promise.all([
    page.waitForEvent('console', (each) => each.text().startsWith(told)),
    page.goto(`${url}/workbench/search/call`),
  ]);
  await context.close();
  return Number(message.text().slice(told.length));
}

const state = await signedIn();
const times = { cold: [], slow: [] };
await timeOf(state, false);   // the browser's own first time
for (let round = 0; round < Number(rounds); round++) {
  times.cold.push(await timeOf(state, false));
  times.slow.push(await timeOf(state, true));
}
console.log(JSON.stringify(times));
await browser.close();
