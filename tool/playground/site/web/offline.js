// Keeps the files of the playground, so that it works without a network. VERSION and FILES are
// filled in when it is built; another version has another cache.

const version = 'VERSION';
const files = FILES;

addEventListener('install', e => e.waitUntil(caches.open(version).then(c => c.addAll(files)).then(() => skipWaiting())));

addEventListener('activate', e => e.waitUntil(caches.keys()
  .then(keys => Promise.all(keys.filter(k => k.startsWith('freehold-') && k !== version).map(k => caches.delete(k))))
  .then(() => clients.claim())));

// What is there now comes from the network; if there is none, what is kept.
addEventListener('fetch', e => {
  if (e.request.method !== 'GET' || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(fetch(e.request).catch(() => caches.match(e.request, { ignoreSearch: true, cacheName: version }).then(r => r || Response.error())));
});
