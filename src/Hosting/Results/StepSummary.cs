namespace RedisLatency.Hosting.Results;

/// <summary>The page of a step of GitHub Actions, which is Markdown.</summary>
public static class StepSummary
{
    /// <summary>The variable that names its file.</summary>
    public const string Variable = "GITHUB_STEP_SUMMARY";

    private static string? File => Environment.GetEnvironmentVariable(Variable);

    /// <summary>Why there is none, where one is asked for.</summary>
    public static string? Problem(bool isAsked) =>
        isAsked && string.IsNullOrEmpty(File) ? $"{Variable} names no file" : null;

    /// <summary>Appends to it.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public static void Append(Action<TextWriter> write)
    {
        using var page = System.IO.File.AppendText(File!);
        write(page);
    }
}
