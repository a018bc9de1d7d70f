namespace RedisLatency.Hosting.Output;

/// <summary>What standard output is connected to, and what may be shown there.</summary>
/// <param name="IsInteractive">A person looks at it: a terminal that moves its cursor, and no CI system.</param>
/// <param name="HasColor">Colour may be used, as an extra: NO_COLOR is not set.</param>
/// <param name="Columns">Its width; 80 where it has none.</param>
/// <param name="Rows">Its height; 24 where it has none.</param>
public sealed record Terminal(bool IsInteractive, bool HasColor, int Columns, int Rows)
{
    // What the common CI systems set; CI itself is set by most of them.
    private static readonly string[] ContinuousIntegration =
        ["CI", "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL", "BUILD_NUMBER", "GITHUB_ACTIONS"];

    /// <summary>Looks at standard output and the environment of this process.</summary>
    public static Terminal Detect() =>
        Detect(!Console.IsOutputRedirected, Environment.GetEnvironmentVariable, ReadSize);

    internal static Terminal Detect(
        bool isTerminal, Func<string, string?> environment, Func<(int Columns, int Rows)> size)
    {
        var (columns, rows) = isTerminal ? size() : (0, 0);
        var isDumb = environment("TERM") is null or "" or "dumb" && !OperatingSystem.IsWindows();
        var isInteractive = isTerminal && !isDumb
            && !ContinuousIntegration.Any(name => environment(name) is not (null or "" or "false"));
        return new Terminal(
            isInteractive,
            isInteractive && string.IsNullOrEmpty(environment("NO_COLOR")),
            columns > 0 ? columns : 80,
            rows > 0 ? rows : 24);
    }

    /// <summary>How wide the terminal is now; 80 where that is not known.</summary>
    internal static int ReadColumns() => ReadSize().Columns is > 0 and var columns ? columns : 80;

    private static (int Columns, int Rows) ReadSize()
    {
        try
        {
            return (Console.WindowWidth, Console.WindowHeight);
        }
        catch (IOException)
        {
            return (0, 0);
        }
    }
}
