/** Closed classes of Spanish words: see `Language`. */
import type { Language } from "./Language.ts"

export const es: Language = {
  code: "es",
  isSpaced: true,
  common: "el|la|los|las|de|que|y|en|un|una|es|por|con|para|del|se|al|no|su|como|más|está|son|" +
    "qué|cuánto|puedo|hay|o|pero|sus|lo|le|esta|este|ser|tiene|puede|sobre|desde|hasta|entre|a",
  letters: "ñ|¿|¡",
  pointsBack: "él|ella|ellos|ellas|ello|esto|eso|este|esta|estos|estas|ese|esa|esos|esas|aquel*|" +
    "dicho|dicha|dichos|dichas|su|sus|este último|por lo tanto|por tanto|por eso|así|entonces|" +
    "pero|y|o|sin embargo|no obstante|en cambio|por el contrario|si no|de lo contrario|" +
    "en ese caso|por ejemplo|asimismo|también|además|ambos|ambas|allí",
  pointsNowhere: "este sitio|esta página|es _ que",
  takesBack:
    "mito*|falso|falsa|incorrect*|no es cierto|no es verdad|bulo*|error*|creencia* falsa*|" +
    "rumor*|desmentid*|ya no|obsoleto|derogad*|retirad*|prohibid*|no permitid*|no se permite|nunca|" +
    "excluid*|exclusion*|excepcion*|no incluye|no cubiert*|al contrario|rectificación",
  negates: "no|nunca|jamás|ningún|ninguna|ninguno|tampoco|nadie|sin|ni",
  limits: "algun*|cierto*|a veces|ocasionalmente|podría*|si|salvo|excepto|por ejemplo|" +
    "excepci*|reducid*|antes|anteriormente|proyecto|propuest*",
  tentative: "proyecto|propuest*|previst*|prevé|espera|esperan|previsi*|borrador",
  ends: "abolid*|derogad*|suprimid*|revocad*|retirad*|ya no|dejó de|dejaron de|venció|caducó",
  atMost: "como máximo|máximo|hasta|no más de|dentro de",
  atLeast: "como mínimo|mínimo|al menos|por lo menos|desde|más de",
  approximates: "unos|unas|cerca de|alrededor de|aproximadamente|casi",
  months: "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|" +
    "diciembre|ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic",
  weekdays: "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lun|mar|mié|jue|vie|sáb|" +
    "dom",
  reader: "usted|ustedes|tú|tu|tus|te|vosotros|vuestr*|su solicitud|ti",
  asker:
    "usuario*|usuaria*|consultante*|quien consulta|quien pregunta|solicitante que pregunta|el cliente|la clienta|estás|" +
    "eres|tienes|vives|trabajas|necesitas|puedes|debes",
  singlesOut: "este|esta|estos|estas|ese|esa|esos|esas|dicho|dicha|aquel|aquella|en este caso",
  given: "porque|ya que|puesto que|dado que|debido|a causa|a pesar|pese a|siendo|al ser|" +
    "al estar|habiendo|desde|gracias a|aunque|por ser|por estar|en vista de|" +
    "en calidad de|Como",
  requests: "por favor|rogamos",
  numerals: "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce",
  conditions: "si|cuando|en caso de|siempre que|salvo que|salvo si|a menos que|depende*|según|" +
    "en función de",
  advised: "salud|médic*|medic*|enfermedad*|síntoma*|tratamiento*|dosis|embaraz*|vacuna*|cirugía|" +
    "hospital*|terapia*|diagnóstico*|impuesto*|fiscal*|inver*|hipoteca*|préstamo*|crédito*|" +
    "pensión|pensiones|seguro|seguros|deuda*|quiebra|herencia*",
  asksSlot: "¿Podría decirme lo siguiente: {slot}?",
  asksWhether: "¿Es así: {slot}?",
  whySlot: "Las fuentes no lo dicen, y la respuesta puede depender de ello.",
  asksCondition: "¿Es este el caso? «{quote}»",
  whyCondition: "Una fuente hace depender de ello la respuesta.",
  asksReference: "¿A qué se refiere «{quote}»?",
  whyReference: "Nada de lo dicho hasta ahora lo aclara.",
  yesNo: "sí|no|solo si|sólo si|depende|claro|por supuesto|en absoluto|verdadero|falso",
  questionMark: "p|pregunta",
  answerMark: "r|respuesta",
  abbreviations:
    "Sr|Sra|Sres|Srta|Dr|Dra|Dña|D|Lic|Ing|Prof|Profa|Avda|Av|Ud|Uds|Vd|Vds|EE|Gral|ej|" +
    "aprox|depto|dpto|Fco",
  abbreviationsOfNumbers: "núm|núms|n|art|arts|pág|págs|p|pp|cap|vol|tel|tlf|fig|apdo|máx|mín",
  asksNumber: "cuánto*|cuánta*|a qué edad|desde qué edad|a qué hora|desde qué hora|qué precio|" +
    "qué edad|qué porcentaje|qué plazo",
  asksDate: "cuándo|en qué año|en qué fecha",
  official: "oficial gobierno",
  customs: "costumbres etiqueta",
  furniture: "cookie*|suscríbete|suscribirse|iniciar sesión|inicia sesión|regístrate|" +
    "todos los derechos reservados|haz clic|haga clic|leer más|más información|" +
    "política de privacidad|aviso legal|boletín|contáctanos|síguenos|índice|última actualización|©"
}
