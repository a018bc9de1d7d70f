using System.Collections;
using RedisLatency.Hosting.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>What a program takes from the machine; tests give it their own.</summary>
public sealed record CommandSurroundings
{
    public required TextWriter Output { get; init; }
    public required TextWriter Error { get; init; }

    /// <summary>What is typed to start this program; null for its own name.</summary>
    public string? Program { get; init; }

    /// <summary>The columns of the terminal.</summary>
    public int Columns { get; init; } = 80;

    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>The console and the environment of this process.</summary>
    public static CommandSurroundings OfProcess()
    {
        var environment = System.Environment.GetEnvironmentVariables()
            .Cast<DictionaryEntry>()
            .ToDictionary(entry => (string)entry.Key, entry => (string?)entry.Value ?? "");
        return new()
        {
            Output = Console.Out,
            Error = Console.Error,
            Columns = Terminal.Detect().Columns,
            Environment = environment,
        };
    }
}
