using System.Text;

namespace RedisLatency.Redis.Commands;

// A command's words as texts. Each is encoded anew whenever it is asked for: not for the measured loop.
internal readonly struct TextWords(IReadOnlyList<string> words) : ICommandWords
{
    public int Count => words.Count;

    public ReadOnlySpan<byte> this[int word] => Encoding.UTF8.GetBytes(words[word]);
}
