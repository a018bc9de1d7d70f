using System.Text.Json.Nodes;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

/// <summary>Runs a comparison as users do.</summary>
internal static class VerifyProcess
{
    public const int Different = 99;

    public static async Task<JsonNode> Run(
        string source, string destination, int exitCode = 0, params string[] arguments) =>
        await SyncProcess.Run(
            "verify", source, destination, exitCode,
            arguments.Contains("--pause") ? arguments : ["--pause", "50ms", .. arguments]);

    /// <summary>Runs it, and returns the lines of its file: kind, key, and what of it.</summary>
    public static async Task<string[]> FindDifferences(
        string source, string destination, params string[] arguments)
    {
        var folder = Directory.CreateTempSubdirectory("redislatency-verify-");
        try
        {
            var file = Path.Combine(folder.FullName, "differences");
            var record = await Run(source, destination, Different, ["--differences", file, .. arguments]);
            var lines = await File.ReadAllLinesAsync(file);
            record.Synced("differences").ShouldBe(lines.Length);
            return [.. lines.Select(line => Describe(JsonNode.Parse(line)!)).Order(StringComparer.Ordinal)];
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string Describe(JsonNode line)
    {
        string?[] words = [.. ((string[])["kind", "key", "keyBase64", "part", "name", "nameBase64"])
            .Select(name => line[name]?.GetValue<string>())];
        return string.Join(' ', words.OfType<string>());
    }
}
