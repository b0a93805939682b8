import type { SearchSettings } from '#shop-schema/search-schema.ts';

/** What customers call the products: English, Malayalam, Tamil and Hindi, in their scripts and in Latin letters. */
export const search: SearchSettings = {
  synonyms: [
    // Kinds.
    {
      words: 'ring, mothiram, finger ring, angoothi, anguthi, modhiram, മോതിരം, மோதிரம், अंगूठी',
      within: 'rings',
    },
    {
      words:
        'earring, ear ring, kammal, kammel, kadukkan, kathila, കമ്മൽ, കടുക്കൻ, കാതില, ഇയർറിങ്, கம்மல், காதணி, ईयररिंग, इयररिंग',
      within: 'earrings',
    },
    {
      words:
        'necklace, neck lace, neckless, neckles, mala, maala, malai, haar, hara, haram, aaram, മാല, ഹാരം, നെക്ലേസ്, மாலை, ஆரம், நெக்லஸ், हार, माला, नेकलेस',
      within: 'necklaces',
    },
    {
      words:
        'bracelet, hand chain, kai chain, kaichain, ബ്രേസ്‌ലെറ്റ്, കൈച്ചെയിൻ, பிரேஸ்லெட், கைச்செயின், ब्रेसलेट',
      within: 'bracelets',
    },
    {
      words:
        'bangle, vala, valaiyal, kada, kappu, kara, kangan, kankanam, churi, choori, chudi, choodi, chudiyan, choodiyan, bangdi, വള, കാപ്പ്, കട, കങ്കണം, வளையல், காப்பு, चूड़ी, चूड़ियाँ, कंगन, कड़ा',
      within: 'bracelets',
    },
    { words: 'watch, wrist watch, wristwatch, ghadi, വാച്ച്, வாட்ச், கடிகாரம், घड़ी', within: 'watches' },

    // Forms.
    {
      words:
        'jimikki, jimmikki, jhimki, jhumka, jhumki, jhumkha, jhumke, jumka, jumki, ജിമിക്കി, ജിമിക്കി കമ്മൽ, ജുംക, ஜிமிக்கி, ஜிமிக்கி கம்மல், झुमका, झुमकी, झुमके',
      within: 'earrings',
    },
    {
      words: 'stud, ear stud, thodu, thod, tops, ear tops, സ്റ്റഡ്, തോട്, தோடு, टॉप्स',
      within: 'earrings',
    },
    { words: 'hoop, bali, baali, ring kammal, റിങ് കമ്മൽ, बाली, बालियाँ', within: 'earrings' },
    {
      words: 'drop, dangler, dangle, hanging, latkan, തൂക്ക്, लटकन',
      finds: 'jimikki, manga muthu',
      within: 'earrings',
    },
    { words: 'ezhukallu, ezhu kallu, seven stone, 7 stone, ഏഴുകല്ല്, ഏഴു കല്ല്' },
    { words: 'pendant, locket, pathakkam, dollar, പതക്കം, ലോക്കറ്റ്, पेंडेंट, लॉकेट' },
    { words: 'chain, ചെയിൻ, चेन', finds: 'lotus pendant' },
    { words: 'kasu, kaasu, kasu mala, kasumala, coin, ponkasu, കാശ്, കാശുമാല, കാസുമാല' },
    { words: 'palakka, palaka, palaikka, പാലയ്ക്ക, പാലയ്ക്കാ, പാലക്ക, പാലക്കാ' },
    { words: 'mullamottu, mulla mottu, jasmine, jasmine bud, മുല്ലമൊട്ട്, മുല്ല മൊട്ട്' },
    {
      words:
        'nagapadam, naga padam, nagapada, nagapada thali, serpent hood, നാഗപടം, നാഗപട, നാഗപടത്താലി',
    },
    { words: 'manga, mango, മാങ്ങ, മാങ്ങാ, आम' },
    { words: 'lotus, thamara, kamal, താമര, कमल' },
    { words: 'navaratna, navratna, navarathna, navaratnam, nine gem, നവരത്ന, നവരത്നം, नवरत्न' },
    { words: 'vanki, വങ്കി' },
    {
      words:
        'kolusu, anklet, padasaram, padaswaram, payal, pajeb, leg chain, കൊലുസ്, പാദസരം, പാദസ്വരം, கொலுசு, पायल',
    },
    { words: 'solitaire, engagement ring, single stone ring, ottakkal, ഒറ്റക്കൽ', within: 'rings' },
    {
      words: 'couple band, couple ring, wedding ring, wedding band, kalyana mothiram, കല്യാണ മോതിരം',
      within: 'rings',
    },

    // Materials, by what they are: cubic zirconia is no diamond, what is plated is no 916.
    { words: 'gold, swarnam, sona, thangam, സ്വർണം, സ്വർണ്ണം, தங்கம், सोना' },
    {
      words:
        'gold plated, gold covering, covering, 1 gram gold, one gram gold, 1 gm gold, micro gold, വൺ ഗ്രാം ഗോൾഡ്',
    },
    { words: 'silver, velli, chandi, chaandi, sterling, sterling silver, വെള്ളി, வெள்ளி, चाँदी' },
    { words: 'pearl, muthu, moti, മുത്ത്, முத்து, मोती' },
    {
      words:
        'cubic zirconia, cz, american diamond, ad stone, zircon, white stone, വെള്ളക്കല്ല്, अमेरिकन डायमंड',
    },
    { words: 'kemp, kempu, red stone, ചുവന്ന കല്ല്, കെമ്പ്' },
    { words: 'green stone, പച്ചക്കല്ല്, പച്ച കല്ല്', finds: 'palakka' },
    { words: 'ruby, manikyam, manik, മാണിക്യം, माणिक' },
    { words: 'enamel, meenakari, minakari, ഇനാമൽ, मीनाकारी' },

    // Occasions.
    {
      words:
        'gift, present, birthday, birthday gift, anniversary, anniversary gift, valentine, sammanam, സമ്മാനം, ഗിഫ്റ്റ്, പിറന്നാൾ, பரிசு, tohfa, उपहार, गिफ्ट',
      finds: 'charm bracelet, pearl stud, lotus pendant, solitaire, petite watch',
    },
    {
      words:
        'wedding, marriage, bridal, bride, haldi, mehndi, mehendi, sangeet, reception, kalyanam, vivaham, shaadi, dulhan, കല്യാണം, വിവാഹം, ஹல்தி, திருமணம், शादी, हल्दी, मेहंदी',
      finds: 'ponkasu mala, mullamottu mala, palakka mala, nagapadam mala, jimikki, couple band',
    },
    {
      words:
        'temple, temple jewellery, temple jewelry, traditional, kerala, nadan, onam, vishu, ഓണം, വിഷു, നാടൻ, diwali, deepavali, deepawali, pongal, navratri, navaratri, dussehra, festival, festive, ദീപാവലി, தீபாவளி, பொங்கல், दिवाली, दीवाली',
      finds:
        'palakka, mullamottu mala, nagapadam, ponkasu, jimikki, manga muthu, kappu, vanki, ezhukallu',
    },
    {
      words: 'daily wear, everyday, office wear',
      finds: 'pearl stud, lotus pendant, rope band, dress watch',
    },
    {
      words: 'men, gents, for him, for husband',
      finds: 'chronograph, dress watch, couple band',
    },

    // What this shop does not have. A customer who asks for it sees no other thing under its name.
    {
      words:
        'thali, tali, thaali, mangalsutra, mangal sutra, minnu, karimani, താലി, മിന്ന്, കരിമണി, मंगलसूत्र',
    },
    {
      words:
        'nose pin, nose ring, nose stud, mookuthi, mookkuthi, mukkuthi, mukuthi, nath, nathni, മൂക്കുത്തി, नथ, नथनी',
    },
    { words: 'toe ring, metti, minji, bichiya, bichhiya, മെട്ടി, മിഞ്ചി, बिछिया' },
    { words: 'maang tikka, mang tikka, tikka, nethichutti, നെറ്റിച്ചുട്ടി, मांग टीका' },
    { words: 'oddiyanam, aranjanam, waist chain, hip chain, kamarbandh, അരഞ്ഞാണം, ഒഡ്യാണം, कमरबंद' },
    { words: 'armlet, bajuband, തോൾവള, बाजूबंद' },
    { words: 'choker, addiyal, addigai, അഡ്ഡിയൽ, चोकर' },
    { words: 'diamond, vairam, heera, വജ്രം, വൈരം, हीरा' },
    { words: '916, 22k, 22 carat, 22 karat, hallmark, kdm, pure gold, solid gold' },
    { words: 'brooch, saree pin, സാരി പിൻ' },
    { words: 'polki, kundan, jadau, पोल्की, कुंदन' },
    { words: 'butterfly, heart, infinity, evil eye' },
  ],
  ignored:
    'a, an, and, the, for, in, of, on, to, with, my, size, design, model, set, collection, item, special, latest, new, best, price, rate, online, buy, jewellery, jewelry, ornament, ആഭരണം, गहने, women, woman, ladies, girl, her, wife, mother, sister',
};
