using System.Text;

namespace RedisLatency.Redis.Commands;

// Encodes anew what it is asked for: not for the measured loop.
internal readonly struct TextWords(IReadOnlyList<string> words) : ICommandWords
{
    public int Count => words.Count;

    public ReadOnlySpan<byte> this[int word] => Encoding.UTF8.GetBytes(words[word]);
}
