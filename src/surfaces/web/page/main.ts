// Where the page starts: the secret from the link, the language, the connection, and when to connect again.
import { App } from './app.ts'
import { Connection } from './connection.ts'
import { browserName, findSecret, newName } from './secret.ts'
import { pageLang, pageTexts } from './texts.ts'

const root = document.documentElement
const lang = pageLang(root.dataset['lang'], navigator.languages)
root.lang = lang === 'zh' ? 'zh-CN' : 'en'
findSecret()

/** Whether the page is being left: nobody sees what it still requests. */
let isLeft = false
const connection = new Connection({
  browser: browserName(),
  page: newName(),
  reaches: () => !isLeft && (document.visibilityState === 'visible' || app.notifies),
  onState(state) {
    app.show(state)
    // A grant cannot read how its ask ended unless that was streamed.
    if (state === 'settled') app.model.keepOnly([])
  },
  onSnapshot(snapshot) {
    app.model.apply(snapshot)
    app.ready()
  },
  onChange: change => app.model.change(change),
})
const app = new App(pageTexts[lang], lang, connection)

const restart = () => connection.restart()
restart()
document.addEventListener('visibilitychange', restart)
window.addEventListener('online', restart)
window.addEventListener('offline', () => app.show('lost'))
window.addEventListener('pagehide', () => {
  isLeft = true
})
// A page that comes back from the browser's cache has lost its stream.
window.addEventListener('pageshow', event => {
  isLeft = false
  if (event.persisted) restart()
})
window.addEventListener('hashchange', () => {
  findSecret()
  restart()
})
