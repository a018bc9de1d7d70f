using System.Diagnostics;

namespace RedisLatency.Fixtures;

/// <summary>
/// Files of <c>tests/Golden</c>: what commands print and save, as it was recorded.
/// <c>REDISLATENCY_WRITE_GOLDEN=1</c> records it anew.
/// </summary>
public static class GoldenFile
{
    /// <summary>Where they lie.</summary>
    public static string Folder { get; } = RepositoryRoot.Combine("tests", "Golden");

    /// <summary>Whether they are to be recorded, not compared.</summary>
    public static bool IsWritten => Environment.GetEnvironmentVariable("REDISLATENCY_WRITE_GOLDEN") is "1";

    /// <summary>Compares a text with what was recorded, or records it.</summary>
    /// <param name="name">The file, below <see cref="Folder"/>.</param>
    /// <param name="text">What there is now.</param>
    /// <returns>The lines that differ, as <c>git diff</c> shows them; empty where there are none.</returns>
    public static async Task<string> DifferenceOf(string name, string text)
    {
        var recorded = Path.Combine(Folder, name);
        if (IsWritten)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(recorded)!);
            await File.WriteAllTextAsync(recorded, text);
            return string.Empty;
        }

        if (File.Exists(recorded) && await File.ReadAllTextAsync(recorded) == text)
            return string.Empty;
        var now = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(now, text);
            var before = File.Exists(recorded) ? recorded : "/dev/null";
            using var process = Process.Start(new ProcessStartInfo(
                "git", ["diff", "--no-index", "--no-color", "--unified=2", before, now])
            { RedirectStandardOutput = true })!;
            var difference = await process.StandardOutput.ReadToEndAsync();
            await process.WaitForExitAsync();
            return $"{name} is not what was recorded; if it is to be: REDISLATENCY_WRITE_GOLDEN=1.\n{difference}";
        }
        finally
        {
            File.Delete(now);
        }
    }
}
