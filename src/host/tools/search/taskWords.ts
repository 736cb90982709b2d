/**
 * Words for one kind of task or thing. Before the bar are those that names and descriptions of tools use: each also
 * finds the others. After it are those that people use, in several languages, without accents: they find the words
 * before the bar. An entry of several words is found as a phrase, one in Chinese, Japanese or Korean anywhere.
 */
const groups = [
  // What is done
  'create add new insert | make, open, file, set up, put, start, register, enter, erstell, anleg, hinzufug, neue, crea, crear, nuevo, anadir, agrega, creer, cree, ajoute, nouveau, nouvelle, aggiungi, nuovo, criar, cria, adiciona, novo, nova, maak, nieuw, toevoegen, 创建, 新建, 添加, 作成, 追加, 新しい, 만들',
  'delete remove | erase, drop, discard, throw away, get rid, clear, trash, purge, forget, losch, entfern, vergiss, borra, elimina, quita, olvida, supprim, efface, oublie, cancella, rimuov, apaga, remove, exclui, verwijder, wis, 删除, 移除, 忘记, 削除, 消して, 消す, 忘れ, 삭제',
  'list | every, all, overview, which, show me, welche, alle, todos, todas, cuales, toutes, tous, quels, quelles, tutti, quali, quais, welke, 列出, 所有, 哪些, 一覧, すべて, 목록',
  'search find query | look for, look up, where, seek, locate, finde, wo ist, gibt es, busca, encuentra, donde, cherche, trouve, cerca, trova, dove, procura, acha, onde, zoek, vind, waar, 找, 搜索, 查找, 查询, 哪里, 探して, 検索, どこ, 찾아, 검색',
  'get read retrieve fetch view | show, open, display, see, tell me, what is, what does, zeig, lies, lese, offne, muestra, lee, ver, abre, montre, lis, ouvre, affiche, mostra, leggi, apri, le, abra, toon, lees, bekijk, 读, 看, 打开, 显示, 読んで, 見せて, 開いて, 읽어, 보여',
  'update edit modify change | correct, fix, replace, alter, rewrite, adjust, set, swap, ander, bearbeit, korrigier, ersetz, cambia, modifica, edita, corrige, reemplaza, remplace, change, sostituisci, altera, muda, wijzig, vervang, pas aan, 修改, 更新, 编辑, 替换, 変更, 編集, 直して, 수정',
  'send post | tell, notify, inform, let know, share, announce, write to, say, schick, sende, sag, benachrichtig, schreib, envia, manda, avisa, di a, escribe, envoie, dis a, previens, ecris, invia, scrivi, avvisa, escreve, avisa, stuur, zeg, schrijf, 发送, 发给, 通知, 告诉, 送って, 送信, 伝えて, 知らせ, 보내',
  'reply respond answer | accept, decline, confirm, rsvp, say yes, say no, invitation, invite, antwort, zusag, absag, einladung, responde, contesta, acepta, invitacion, reponds, repondre, invitation, rispondi, accetta, invito, aceita, convite, antwoord, uitnodiging, 回复, 接受, 邀请, 返信, 返事, 招待, 답장',
  'move | rename, relocate, transfer, reorganize, verschieb, umbenenn, mueve, renombra, deplace, renomme, sposta, rinomina, mover, renomear, verplaats, hernoem, 移动, 重命名, 移動, 名前を変',
  'copy fork duplicate clone | own version, kopier, copia, copie, dupliqu, duplica, kopie, 复制, コピー, 복사',
  'download save export | store on disk, keep a copy, herunterlad, speicher, descarga, guarda, telecharge, enregistre, scarica, salva, baixa, bewaar, opslaan, 下载, 保存, ダウンロード, 저장',
  'upload attach attachment import | enclosure, hochlad, anhang, anhang, adjunt, sube, piece jointe, allegat, carica, anexo, bijlage, 上传, 附件, 添付, アップロード, 첨부',
  'merge | integrate, combine, zusammenfuhr, fusiona, fusionne, unisci, juntar, samenvoeg, 合并, マージ',
  'comment review feedback | note on, leave a note, remark, opinion, kommentar, bewertung, comentario, commentaire, commento, opmerking, 评论, 批注, コメント, 댓글',
  'run execute evaluate | launch, ausfuhr, ejecuta, execute, esegui, executa, uitvoer, 运行, 执行, 実行, 실행',
  'convert translate format | turn into, ubersetz, umwandel, traduce, traduis, convertis, traduci, traduz, vertaal, 翻译, 转换, 翻訳, 変換, 번역',
  'draft | without sending, before it goes out, prepare, entwurf, borrador, brouillon, bozza, rascunho, concept, 草稿, 下書き',
  'multiple batch bulk | several, many, all those, a lot of, everything, viele, mehrere, varios, muchos, plusieurs, molti, vari, muitos, meerdere, 批量, 多个, まとめて',
  'filter rule automatic | automatically, always, whenever, automatisch, regel, automatico, regla, automatiquement, regle, regola, regra, 自动, 规则, 自動',
  // Talk
  'message chat slack | dm, ping, write, text, nachricht, mensaje, message, messaggio, mensagem, bericht, 消息, 聊天, メッセージ, 메시지',
  'channel | room, group, kanal, gruppe, canal, grupo, groupe, canale, gruppo, kanaal, groep, 频道, 群, チャンネル, 채널',
  'thread replies conversation | discussion, answers, gesprach, conversacion, discussion, conversazione, conversa, gesprek, 讨论, スレッド, 会話',
  'reaction emoji | thumbs up, thumbs-up, like, heart, react, smiley, daumen, pulgar, corazon, pouce, coeur, pollice, polegar, duim, 点赞, 表情, いいね, 絵文字',
  'email mail gmail inbox | e-mail, newsletter, correo, courriel, mel, posta, correio, 邮件, メール, 이메일',
  'label | category, folder, tag, etikett, etiqueta, etiquette, etichetta, 标签, ラベル',
  'history recent log | lately, happened, missed, catch up, last, zuletzt, passiert, ultimo, reciente, dernier, recent, recenti, recente, laatste, 最近, 历史, 最近の, 履歴',
  'user profile member person people | who, whose, colleague, contact, team, wer ist, kollege, mitarbeiter, quien, usuario, qui est, utilisateur, chi e, utente, quem, usuario, wie is, gebruiker, 谁, 用户, 联系人, 誰, 連絡先, 누구',
  // Time
  'event calendar schedule meeting appointment | lunch, dinner, date with, tuesday, wednesday, thursday, friday, monday, saturday, sunday, tomorrow, noon, termin, kalender, treffen, besprechung, montag, dienstag, mittwoch, donnerstag, freitag, morgen, reunion, cita, calendario, evento, lunes, martes, miercoles, jueves, viernes, manana, rendez-vous, reunion, calendrier, lundi, mardi, mercredi, jeudi, vendredi, demain, appuntamento, riunione, lunedi, martedi, mercoledi, giovedi, venerdi, domani, reuniao, compromisso, agenda, segunda-feira, amanha, afspraak, vergadering, maandag, dinsdag, woensdag, donderdag, vrijdag, 日程, 会议, 约会, 明天, 星期, 予定, 会議, 明日, 曜日, 회의, 일정',
  'free busy availability | do i have time, am i booked, planned, verplant, zeit habe, habe ich zeit, frei, besetzt, libre, ocupado, tengo tiempo, disponible, occupe, libero, impegnato, livre, bezet, vrij, 有空, 空闲, 忙, 空いて, 暇, 바쁜',
  'time date timezone clock | when, today, now, what day, wann, uhr, heute, cuando, hora, fecha, hoy, quand, heure, aujourd, quando, ora, oggi, data, hoje, wanneer, tijd, vandaag, 时间, 日期, 今天, 几点, 何時, 今日, 日付, 언제, 오늘',
  'reminder task todo | remind me, deadline, erinner, aufgabe, recordatorio, tarea, rappel, tache, promemoria, compito, lembrete, tarefa, herinner, taak, 提醒, 任务, 待办, リマインド, タスク, 알림',
  // Places
  'place restaurant location | restaurant, coffee, cafe, pizza, hotel, near, close to, around here, in der nahe, laden, cerca de, tienda, pres de, magasin, vicino, negozio, perto, loja, in de buurt, winkel, 附近, 餐厅, 近く, レストラン, お店, 근처',
  'directions route distance travel map | drive, driving, how far, how long, by car, train, walk, way to, get to, auto, fahr, weit, wie lange, strecke, weg nach, coche, llegar, lejos, cuanto se tarda, ruta, voiture, trajet, combien de temps, loin, macchina, arrivare, lontano, percorso, carro, chegar, longe, rota, hoe ver, rijden, hoe lang, 路线, 多远, 开车, 怎么走, 道順, どれくらい, 距離, 車で, 얼마나, 길',
  'geocode coordinates address latitude longitude | gps, where exactly, koordinaten, adresse, strasse, coordenadas, direccion, coordonnees, coordinate, indirizzo, endereco, adres, 坐标, 地址, 住所, 座標, 주소',
  'elevation | altitude, height, how high, above sea, meereshohe, hoch liegt, hohe, altitud, altura, hauteur, au-dessus de la mer, altezza, altitudine, hoogte, 海拔, 高度, 標高, 고도',
  'weather forecast temperature | rain, sunny, snow, wetter, regen, clima, tiempo hace, lluvia, meteo, pluie, pioggia, chuva, tempo vai, weer, 天气, 下雨, 天気, 雨, 날씨',
  // Files
  'file document text | cv, letter, .txt, .md, .pdf, .csv, datei, dokument, archivo, documento, fichier, bestand, 文件, 文档, ファイル, 書類, 파일',
  'directory folder | drive, ordner, verzeichnis, carpeta, dossier, repertoire, cartella, pasta, map op, mappen, 文件夹, 目录, フォルダ, 폴더',
  'size | space, big, large, how much, disk, storage, grosse, gross, speicherplatz, platz, tamano, espacio, taille, espace, place prend, dimensione, spazio, tamanho, espaco, ruimte, grootte, 大小, 空间, 容量, サイズ, 크기',
  'info metadata details properties | when did i, last modified, last change, wann habe ich, cuando cambie, quand ai-je, quando ho, 信息, 详情, 情報, 詳細, 정보',
  'image picture photo media screenshot | capture, snapshot, bild, foto, imagen, captura, photo, capture, immagine, imagem, afbeelding, schermafbeelding, 图片, 截图, 照片, 画像, 写真, スクリーンショット, 사진',
  'tree structure | outline, hierarchy, struktur, estructura, arborescence, struttura, estrutura, structuur, 结构, 構造',
  // Code
  'repository project code github git | source, codebase, function, endpoint, quelltext, codigo, depot, codice, 仓库, 代码, コード, リポジトリ, 코드',
  'issue ticket bug | crash, broken, problem, doesn\u2019t work, fehler, absturz, problema, error, fallo, probleme, bogue, errore, falha, probleem, fout, 问题, 错误, バグ, 不具合, 버그',
  'commit commits change | changed, history, what was changed, anderung, geandert, cambiado, cambio, modifie, changement, cambiat, modifich, mudanca, wijziging, 提交, 更改, コミット, 変更履歴',
  'branch main | ramo, rama, zweig, branche, 分支, ブランチ',
  'pull request merge | pr, patch, 合并请求, プルリク',
  'status checks | green, passing, ci, build, pipeline, state, zustand, stand der, estado, etat, statut, stato, 状态, 状況, ステータス, 상태',
  'error console warning exception | failure, complain, fehlermeldung, mensaje de error, message d erreur, messaggio di errore, foutmelding, 报错, 控制台, エラー, 오류',
  'deploy release version | publish, roll out, veroffentlich, publica, deploie, pubblica, 发布, 部署, リリース, 배포',
  // Web
  'browser page url website navigate | site, web, internet, link, webseite, seite, sitio, pagina web, sito, 网站, 网页, サイト, ページ, 웹',
  'click press button | tap, push, hit, klick, druck auf, pulsa, haz clic, clique, appuie, clicca, premi, clica, klik, 点击, 按, クリック, 押して, 클릭',
  'form fields fill type input | enter, fill in, sign up, ausfull, formular, eingeb, rellena, formulario, remplis, formulaire, compila, modulo, preenche, invul, formulier, 填写, 表单, 入力, フォーム, 입력',
  'resize viewport window mobile | phone, tablet, small screen, responsive, handy, telefono, telephone, telefoon, 手机, 屏幕, スマホ, 画面',
  'network requests http | traffic, api calls, loads, netzwerk, red, reseau, rete, netwerk, 网络, 请求, 通信',
  // Data
  'record row entry item | lead, customer, line, datensatz, zeile, eintrag, kunde, registro, fila, cliente, ligne, enregistrement, client, riga, voce, linha, rij, klant, 记录, 行, 客户, レコード, 顧客, 행',
  'table database base sheet | spreadsheet, crm, tabelle, datenbank, tabla, base de datos, tableau, base de donnees, tabella, banco de dados, tabela, tabel, 表格, 数据库, テーブル, データベース, 表, 데이터베이스',
  'field column schema describe | columns, structure, spalte, columna, colonne, colonna, coluna, kolom, 列, 字段, フィールド, 列名, 열',
  'page note wiki document notion | notes, minutes, write down, notiz, protokoll, nota, apunta, note, noter, appunti, anota, notitie, 笔记, 纪要, 页面, メモ, 議事録, ノート, 노트',
  'block paragraph content | section, text in, bullet, absatz, parrafo, paragraphe, paragrafo, alinea, 段落, 内容, 本文',
  'entity observation knowledge graph memory node remember | fact, facts, know about, already know, keep in mind, forget, merk dir, erinnerst, weisst du, gedachtnis, recuerda, sabes de, memoria, souviens, retiens, sais de, memoire, ricorda, sai di, lembra, sabe sobre, onthoud, weet je, 记住, 记忆, 知道, 覚えて, 知って, 記憶, 기억',
  'relation link connection | related, belongs to, works at, beziehung, relacion, relation, relazione, 关系, 関係',
  'account sign login authentication | log in, password, konto, anmeld, cuenta, compte, connexion, conto, accesso, conta, 账号, 登录, アカウント, ログイン, 계정',
  'payment invoice order customer | bill, pay, charge, refund, rechnung, zahlung, bestellung, factura, pago, pedido, facture, paiement, commande, fattura, pagamento, ordine, fatura, betaling, 付款, 发票, 订单, 支払い, 請求書, 注文, 결제',
] as const;

/** A kind of task or thing: a text that has one of `said` may mean each of `written`. */
export interface TaskWords {
  readonly written: readonly string[];
  readonly said: readonly string[];
}

export const taskWords: readonly TaskWords[] = groups.map((group) => {
  const [written = '', said = ''] = group.split(' | ');
  return { written: written.split(' '), said: said.split(', ') };
});
