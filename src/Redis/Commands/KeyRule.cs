using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace RedisLatency.Redis.Commands;

/// <summary>Which words of a command are keys; numbers count from its name, which is word 0.</summary>
public readonly record struct KeyRule
{
    /// <summary>Keys at fixed places, as COMMAND says them.</summary>
    /// <param name="first">The first key; 0 where there is none.</param>
    /// <param name="last">The last; negative ones count from the command's end.</param>
    /// <param name="step">From one key to the next.</param>
    public KeyRule(int first, int last, int step)
    {
        if (first > 0)
            (First, Last, Step) = (first, last, Math.Max(step, 1));
    }

    /// <summary>The first key, or the one before a count; 0 where there is none.</summary>
    public int First { get; private init; }

    /// <summary>The last; negative ones count from the command's end.</summary>
    public int Last { get; private init; }

    /// <summary>From one key to the next.</summary>
    public int Step { get; private init; }

    /// <summary>The word that says how many keys follow it; 0 where none does.</summary>
    public int CountAt { get; private init; }

    internal KeyOptions Options { get; private init; }

    /// <summary>Whether words of the command say where its keys are: a server's "movablekeys".</summary>
    public bool IsMovable => CountAt > 0 || Options != KeyOptions.None;

    /// <summary>Whether the word behind the name is a key, and no other.</summary>
    public bool IsFirstWord => First == 1 && Last == 1 && !IsMovable;

    /// <summary>The word by which a command is named in messages: its first key, of nearly all.</summary>
    public int NamingWord => First > 0 ? First : CountAt + 1;

    internal static KeyRule Parse(string text)
    {
        if (text == "-")
            return default;
        if (text is "streams")
            return new KeyRule { Step = 1, Options = KeyOptions.Streams };
        if (text is "migrate")
            return new KeyRule(3, 3, 1) { Options = KeyOptions.Migrate };
        if (text is "store2" or "store5")
            return new KeyRule(1, 1, 1) { Options = text == "store2" ? KeyOptions.Sort : KeyOptions.GeoRadius };
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        var step = slash < 0 ? 1 : Number(text[(slash + 1)..]);
        text = slash < 0 ? text : text[..slash];
        var count = text.IndexOf('n', StringComparison.Ordinal);
        if (count >= 0)
        {
            var before = count == 0 ? 0 : Number(text[..count]);
            return new KeyRule { First = before, Last = before, Step = step, CountAt = Number(text[(count + 1)..]) };
        }

        if (text.Split(',') is [var first, var last])
            return new KeyRule(Number(first), Number(last), 1);
        var dash = text.IndexOf('-', StringComparison.Ordinal);
        return dash < 0
            ? new KeyRule(Number(text), Number(text), 1)
            : new KeyRule(Number(text[..dash]), text[dash..] == "-." ? -2 : -1, step);

        static int Number(string digits) => int.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    /// <summary>Adds the numbers of the words that are keys.</summary>
    public void Find<TWords>(TWords words, List<int> keys)
        where TWords : ICommandWords, allows ref struct
    {
        if (Options == KeyOptions.Migrate && !(words.Count > First && words[First].Length > 0))
        {
            for (var word = IndexOf(words, "KEYS"u8) + 1; word < words.Count; word++)
                keys.Add(word);
            return;
        }

        if (First > 0)
        {
            var last = Last < 0 ? words.Count + Last : Math.Min(Last, words.Count - 1);
            for (var word = First; word <= last; word += Step)
                keys.Add(word);
        }

        if (CountAt > 0 && CountAt < words.Count && Utf8Parser.TryParse(words[CountAt], out int count, out _))
        {
            for (var i = 0; i < count && CountAt + 1 + (i * Step) < words.Count; i++)
                keys.Add(CountAt + 1 + (i * Step));
        }

        if (Options is KeyOptions.Sort or KeyOptions.GeoRadius)
            FindStore(words, keys);
        else if (Options == KeyOptions.Streams)
            FindStreams(words, keys);
    }

    /// <summary>
    /// Whether it reads keys whose names are made from what others hold: SORT … BY or GET, each with a star.
    /// </summary>
    public bool ReadsOthers<TWords>(TWords words)
        where TWords : ICommandWords, allows ref struct
    {
        for (var word = 2; Options == KeyOptions.Sort && word + 1 < words.Count; word = AfterOption(words, word))
        {
            if ((IsNamed(words[word], "BY"u8) || IsNamed(words[word], "GET"u8))
                && words[word + 1].Contains((byte)'*'))
            {
                return true;
            }
        }

        return false;
    }

    // Where the first key is, also of a command whose number of keys or further words are not known yet; 0 for none.
    internal int FirstOf<TWords>(TWords words)
        where TWords : ICommandWords, allows ref struct
    {
        if (Options == KeyOptions.Streams)
            return IndexOf(words, "STREAMS"u8) + 1;
        if (Options == KeyOptions.Migrate)
            return words.Count > First && words[First].Length > 0 ? First : IndexOf(words, "KEYS"u8) + 1;
        if (First > 0 || CountAt == 0 || CountAt >= words.Count)
            return First;
        var isNumber = Utf8Parser.TryParse(words[CountAt], out int count, out var digits)
            && digits == words[CountAt].Length;
        return isNumber && count <= 0 ? 0 : CountAt + 1;
    }

    private void FindStore<TWords>(TWords words, List<int> keys)
        where TWords : ICommandWords, allows ref struct
    {
        // Of GEORADIUS a place, its radius and a unit stand before them; of GEORADIUSBYMEMBER one word less.
        const int FirstOfGeoRadius = 5;
        for (var word = Options == KeyOptions.Sort ? 2 : FirstOfGeoRadius; word + 1 < words.Count;
            word = AfterOption(words, word))
        {
            if (IsNamed(words[word], "STORE"u8)
                || (Options == KeyOptions.GeoRadius && IsNamed(words[word], "STOREDIST"u8)))
            {
                keys.Add(word + 1);
            }
        }
    }

    // What belongs to an option is none.
    private static int AfterOption<TWords>(TWords words, int word)
        where TWords : ICommandWords, allows ref struct
    {
        var option = words[word];
        return word + (IsNamed(option, "LIMIT"u8) ? 3
            : IsNamed(option, "BY"u8) || IsNamed(option, "GET"u8) || IsNamed(option, "COUNT"u8)
                || IsNamed(option, "STORE"u8) || IsNamed(option, "STOREDIST"u8) ? 2
            : 1);
    }

    private static void FindStreams<TWords>(TWords words, List<int> keys)
        where TWords : ICommandWords, allows ref struct
    {
        var first = IndexOf(words, "STREAMS"u8) + 1;
        for (var word = first; word < first + ((words.Count - first) / 2); word++)
            keys.Add(word);
    }

    // Behind all words where it is none of them.
    private static int IndexOf<TWords>(TWords words, ReadOnlySpan<byte> name)
        where TWords : ICommandWords, allows ref struct
    {
        var word = 1;
        while (word < words.Count && !IsNamed(words[word], name))
            word++;
        return word;
    }

    private static bool IsNamed(ReadOnlySpan<byte> word, ReadOnlySpan<byte> name) =>
        Ascii.EqualsIgnoreCase(word, name);
}
