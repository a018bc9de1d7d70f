using System.Buffers.Text;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>Which words of a command are keys; numbers count from its name, which is word 0.</summary>
/// <param name="First">The first key, or the one before a count.</param>
/// <param name="Last">The last; negative ones count from the command's end.</param>
/// <param name="Step">From one key to the next.</param>
/// <param name="CountAt">The word that says how many keys follow it; 0 where none does.</param>
/// <param name="Special">Keys that stand behind an option.</param>
internal readonly record struct KeyRule(int First, int Last, int Step, int CountAt = 0, char Special = ' ')
{
    private const char Sort = 'S';
    private const char GeoRadius = 'G';
    private const char Streams = 'X';

    public static KeyRule Parse(string text)
    {
        if (text is "-")
            return default;
        if (text is ['S' or 'G' or 'X'])
            return new KeyRule(text[0] == Streams ? 0 : 1, text[0] == Streams ? 0 : 1, 1, 0, text[0]);
        var count = text.IndexOf('n', StringComparison.Ordinal);
        if (count >= 0)
        {
            var before = count == 0 ? 0 : Number(text[..count]);
            return new KeyRule(before, before, 1, Number(text[(count + 1)..]));
        }

        if (text.Split(',') is [var first, var last])
            return new KeyRule(Number(first), Number(last), 1);
        var dash = text.IndexOf('-', StringComparison.Ordinal);
        if (dash < 0)
            return new KeyRule(Number(text), Number(text), 1);
        return text[(dash + 1)..] switch
        {
            "." => new KeyRule(Number(text[..dash]), -2, 1),
            ['/', var step] => new KeyRule(Number(text[..dash]), -1, step - '0'),
            _ => new KeyRule(Number(text[..dash]), -1, 1),
        };

        static int Number(string digits) => int.Parse(digits, System.Globalization.CultureInfo.InvariantCulture);
    }

    public static KeyRule Of(int first, int last, int step) =>
        first <= 0 ? default : new KeyRule(first, last, Math.Max(step, 1));

    // The word behind the name is a key, and no other.
    public bool IsFirstWord => First == 1 && Last == 1 && CountAt == 0 && Special == ' ';

    // The word by which a command is named in messages: its first key, of nearly all.
    public int NamingWord => First > 0 ? First : CountAt + 1;

    // Whether it reads keys whose names are made from what others hold: SORT … BY or GET, each with a star.
    public bool ReadsOthers(SyncBatch batch, in SyncEntry entry)
    {
        for (var word = 2; Special == Sort && word + 1 < entry.Words; word = AfterOption(batch, entry, word))
        {
            if ((IsNamed(batch.Word(entry, word), "BY"u8) || IsNamed(batch.Word(entry, word), "GET"u8))
                && batch.Word(entry, word + 1).Contains((byte)'*'))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds the numbers of the words that are keys.</summary>
    public void Find(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        if (First > 0)
        {
            var last = Last < 0 ? entry.Words + Last : Math.Min(Last, entry.Words - 1);
            for (var word = First; word <= last; word += Step)
                keys.Add(word);
        }

        if (CountAt > 0 && CountAt < entry.Words
            && Utf8Parser.TryParse(batch.Word(entry, CountAt), out int count, out _))
        {
            // MSETEX has a value behind each key.
            var step = First == 0 && CountAt == 1 && IsNamed(batch.Word(entry, 0), "MSETEX"u8) ? 2 : 1;
            for (var i = 0; i < count && CountAt + 1 + (i * step) < entry.Words; i++)
                keys.Add(CountAt + 1 + (i * step));
        }

        if (Special is Sort or GeoRadius)
            FindStore(batch, entry, keys);
        else if (Special == Streams)
            FindStreams(batch, entry, keys);
    }

    private void FindStore(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        // Of GEORADIUS a place, its radius and a unit stand before them; of GEORADIUSBYMEMBER one word less.
        const int FirstOfGeoRadius = 5;
        for (var word = Special == Sort ? 2 : FirstOfGeoRadius; word + 1 < entry.Words;
            word = AfterOption(batch, entry, word))
        {
            var option = batch.Word(entry, word);
            if (IsNamed(option, "STORE"u8) || (Special == GeoRadius && IsNamed(option, "STOREDIST"u8)))
                keys.Add(word + 1);
        }
    }

    // What belongs to an option is none.
    private static int AfterOption(SyncBatch batch, in SyncEntry entry, int word)
    {
        var option = batch.Word(entry, word);
        return word + (IsNamed(option, "LIMIT"u8) ? 3
            : IsNamed(option, "BY"u8) || IsNamed(option, "GET"u8) || IsNamed(option, "COUNT"u8)
                || IsNamed(option, "STORE"u8) || IsNamed(option, "STOREDIST"u8) ? 2
            : 1);
    }

    private static void FindStreams(SyncBatch batch, in SyncEntry entry, List<int> keys)
    {
        for (var word = 1; word < entry.Words; word++)
        {
            if (!IsNamed(batch.Word(entry, word), "STREAMS"u8))
                continue;
            var count = (entry.Words - word - 1) / 2;
            for (var i = 1; i <= count; i++)
                keys.Add(word + i);
            return;
        }
    }

    private static bool IsNamed(ReadOnlySpan<byte> word, ReadOnlySpan<byte> name) =>
        System.Text.Ascii.EqualsIgnoreCase(word, name);
}
