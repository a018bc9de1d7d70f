using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>One test of redis-benchmark: its title, the names that choose it, and its operation.</summary>
/// <param name="Title">As it is printed.</param>
/// <param name="Names">What -t calls it.</param>
/// <param name="Operation">The engine's name of it; null for a command of the user's own.</param>
/// <param name="Key">What its keys are called.</param>
internal sealed record RedisBenchmarkTest(string Title, string Names, string? Operation, string Key)
{
    private const int MostInput = 16 << 20;
    private const string NeededByRange = "LPUSH (needed to benchmark LRANGE)";
    private const string Ranges = "lrange lrange_100 lrange_300 lrange_500 lrange_600";

    // redis-benchmark.c 7 and 8, in its order; the last one is valkey-benchmark's.
    private static readonly RedisBenchmarkTest[] All =
    [
        new("PING_INLINE", "ping ping_inline", "ping-inline", "key"),
        new("PING_MBULK", "ping ping_mbulk", "ping", "key"),
        new("SET", "set", "set", "key") { IsNumbered = true },
        new("GET", "get", "get", "key") { IsNumbered = true },
        new("INCR", "incr", "incr", "counter") { IsNumbered = true },
        new("LPUSH", "lpush", "lpush", "mylist"),
        new("RPUSH", "rpush", "rpush", "mylist"),
        new("LPOP", "lpop", "lpop", "mylist"),
        new("RPOP", "rpop", "rpop", "mylist"),
        new("SADD", "sadd", "sadd", "myset"),
        new("HSET", "hset", "hset", "myhash"),
        new("SPOP", "spop", "spop", "myset"),
        new("ZADD", "zadd", "zadd", "myzset"),
        new("ZPOPMIN", "zpopmin", "zpopmin", "myzset"),
        new(NeededByRange, Ranges, "lpush", "mylist"),
        new("LRANGE_100 (first 100 elements)", "lrange lrange_100", "lrange:100", "mylist"),
        new("LRANGE_300 (first 300 elements)", "lrange lrange_300", "lrange:300", "mylist"),
        new("LRANGE_500 (first 500 elements)", "lrange lrange_500", "lrange:500", "mylist"),
        new("LRANGE_600 (first 600 elements)", "lrange lrange_600", "lrange:600", "mylist"),
        new("MSET (10 keys)", "mset", "mset:10", "key") { IsNumbered = true },
        new("XADD", "xadd", "xadd", "mystream"),
    ];

    private static readonly RedisBenchmarkTest Mget =
        new("MGET (10 keys)", "mget", "mget:10", "key") { IsNumbered = true };

    /// <summary>Whether a number follows the name of its key.</summary>
    public bool IsNumbered { get; private init; }

    /// <summary>A command of the user's own, as the engine reads it; null otherwise.</summary>
    public string? Command { get; private init; }

    /// <summary>Bytes of a command of the user's own as it is sent, which the original calls its payload.</summary>
    public int EncodedLength { get; private init; }

    /// <summary>The tests that were asked for, in the original's order; a name that is none's is told.</summary>
    /// <exception cref="ConfigurationException">A name is none's.</exception>
    public static IReadOnlyList<RedisBenchmarkTest> Chosen(RedisBenchmarkOptions options)
    {
        if (options.Tests is not { } names)
            return All;
        RedisBenchmarkTest[] known = [.. All, Mget];
        var strangers = names.Where(name => !known.Any(test => test.Has(name))).ToList();
        if (strangers.Count > 0)
        {
            var all = known.SelectMany(test => test.Names.Split(' ')).Distinct();
            throw new ConfigurationException(
                $"-t {string.Join(',', strangers)}: there is no such test; there are {string.Join(", ", all)}");
        }

        return [.. known.Where(test => names.Any(test.Has))];
    }

    /// <summary>A command of the user's own, as it was typed, with a last argument where there is one.</summary>
    public static RedisBenchmarkTest Of(IReadOnlyList<string> words, RedisBenchmarkOptions options)
    {
        if (words.Contains(";"))
            throw new ConfigurationException("';': a sequence of commands is not sent; see run --command");
        List<byte[]> all = [.. words.Select(Encoding.UTF8.GetBytes)];
        if (options.TakesLastFromInput)
            all.Add(Input());
        var command = string.Join(' ', all.Select(word => Quoted(word, options.IsCluster)));
        var title = string.Join(' ', words);
        return CommandText.TryRead(command, out _, out var problem)
            ? new RedisBenchmarkTest(title, string.Empty, null, string.Empty)
            {
                Command = command,
                EncodedLength = LengthOf('*', all.Count)
                    + all.Sum(word => LengthOf('$', word.Length) + word.Length + 2),
            }
            : throw new ConfigurationException($"{CommandSyntax.Mask(title)}: {problem}");
    }

    private static byte[] Input()
    {
        try
        {
            using var input = Console.OpenStandardInput();
            return LimitedFile.ReadAll(input, MostInput);
        }
        catch (IOException failure)
        {
            throw new ConfigurationException($"-x, standard input: {failure.Message}");
        }
    }

    // What the original replaces: a number, and in a cluster the tag of a slot.
    private static string Quoted(byte[] word, bool isCluster)
    {
        var text = CommandText.Quoted(word, "__rand_int__");
        return isCluster ? text.Replace("{tag}", "__tag__", StringComparison.Ordinal) : text;
    }

    private static int LengthOf(char type, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{type}{number}").Length + 2;

    private bool Has(string name) => Names.Split(' ').Contains(name);
}
