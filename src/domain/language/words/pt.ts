/** Closed classes of Portuguese words: see `Language`. */
import type { Language } from "./Language.ts"

export const pt: Language = {
  code: "pt",
  isSpaced: true,
  common: "o|os|a|as|de|do|da|que|e|é|em|um|uma|para|com|não|por|no|na|dos|das|se|ao|são|mais|" +
    "qual|quanto|posso|como|ou|mas|pelo|pela|este|esta|ser|tem|pode|sobre|até|entre|seu|sua|sem|foi|ter",
  letters: "ã|õ|lh|nh",
  pointsBack: "ele|ela|eles|elas|isto|isso|aquilo|este|esta|estes|estas|esse|essa|esses|essas|" +
    "aquele*|aquela*|tal|tais|seu|sua|seus|suas|este último|portanto|por isso|assim|então|mas|e|" +
    "ou|porém|contudo|no entanto|todavia|em vez disso|pelo contrário|caso contrário|nesse caso|" +
    "neste caso|por exemplo|também|além disso|ambos|ambas|lá",
  pointsNowhere: "este site|esta página",
  takesBack: "mito*|falso|falsa|incorret*|errad*|não é verdade|boato*|rumor*|engano*|desmentid*|" +
    "já não|não mais|obsolet*|revogad*|retirad*|proibid*|não permitid*|não é permitido|nunca|" +
    "excluíd*|exclus*|exceç*|não inclu*|não cobert*|pelo contrário|correção",
  negates: "não|nunca|jamais|nenhum*|ninguém|sem|nem",
  limits: "algun*|algumas|cert*|às vezes|poderia*|se|salvo|exceto|por exemplo|exceç*|" +
    "reduzid*|antes|anteriormente|proposta*",
  tentative: "proposta*|projeto|previst*|prevê|espera|esperam|previs*|rascunho",
  ends:
    "abolid*|revogad*|extint*|suprimid*|retirad*|já não|deixou de|deixaram de|não é mais|expirou",
  atMost: "no máximo|máximo|até|não mais de|dentro de",
  atLeast: "no mínimo|mínimo|pelo menos|a partir de|mais de",
  approximates: "cerca de|aproximadamente|quase|uns|umas",
  months: "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|" +
    "novembro|dezembro|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez",
  weekdays: "segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo|" +
    "seg|ter|qua|qui|sex|sáb|dom",
  reader: "você|vocês|tu|teu|tua|teus|tuas|te|vosso|vossa|o senhor|a senhora",
  asker: "usuário*|usuária*|utilizador*|utilizadora*|consulente*|o cliente|a cliente|estás|tens|" +
    "vives|podes|deves",
  singlesOut: "este|esta|estes|estas|esse|essa|esses|essas|aquele|aquela|neste caso|nesse caso",
  given: "porque|pois|visto que|dado que|já que|uma vez que|devido|por causa|apesar|sendo|" +
    "tendo|embora|graças a|na qualidade de|Como",
  requests: "por favor|favor",
  numerals: "dois/duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze",
  conditions:
    "se|caso|quando|desde que|a menos que|salvo se|depende*|consoante|conforme|em caso de",
  advised: "saúde|médic*|medic*|doença*|sintoma*|tratamento*|dose|dosagem|grávida|gravidez|" +
    "vacina*|cirurgia|hospita*|terapia*|diagnóstico*|imposto*|fiscal*|invest*|hipoteca*|" +
    "empréstimo*|crédito*|pensão|pensões|aposentadoria*|seguro|seguros|dívida*|falência|" +
    "herança*",
  asksSlot: "Poderia dizer-me o seguinte: {slot}?",
  asksWhether: "É assim: {slot}?",
  whySlot: "As fontes não o dizem, e a resposta pode depender disso.",
  asksCondition: "É este o caso? “{quote}”",
  whyCondition: "Uma fonte faz a resposta depender disto.",
  asksReference: "A que se refere “{quote}”?",
  whyReference: "Nada do que foi dito até agora o esclarece.",
  yesNo: "sim|não|só se|apenas se|depende|claro|com certeza|de modo algum|verdadeiro|falso",
  questionMark: "p|pergunta",
  answerMark: "r|resposta",
  abbreviations: "Sr|Sra|Srs|Dr|Dra|Prof|Profa|Eng|Exmo|Exma|Av|Trav|Pça|ex|Lda|Ltda|Cia|cf",
  abbreviationsOfNumbers: "n|núm|art|arts|pág|págs|p|pp|cap|vol|tel|fig|aprox|máx|mín",
  asksNumber: "quanto*|quanta*|a que hora*|com que idade|qual o preço|qual é o preço|" +
    "qual o valor|qual é o valor|qual o prazo|qual é o prazo",
  asksDate: "quando|em que ano|em que data",
  official: "oficial governo",
  customs: "costumes etiqueta",
  furniture: "cookie*|subscreva|inscreva-se|iniciar sessão|entrar|registe-se|cadastre-se|" +
    "todos os direitos reservados|clique aqui|ler mais|leia mais|saiba mais|" +
    "política de privacidade|aviso legal|newsletter|contacte-nos|fale conosco|siga-nos|" +
    "índice|última atualização|©"
}
