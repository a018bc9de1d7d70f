using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Tool.Report;

/// <summary>A page in a file: who looks at it meanwhile sees the old one or the new one.</summary>
internal static class PageFile
{
    /// <summary>Who made it.</summary>
    public static string Footer => $"Made by RedisLatency {ProgramVersion.Text}.";

    /// <summary>Writes it beside its name, then renames it.</summary>
    /// <returns>An exit code; that it cannot be written is printed.</returns>
    public static async Task<int> Write(string file, Func<TextWriter, Task> write)
    {
        try
        {
            var partial = $"{file}.partial";
            await using (var writer = new StreamWriter(partial, append: false, new UTF8Encoding(false)))
                await write(writer);
            File.Move(partial, file, overwrite: true);
            return ExitCode.Valid;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            new Diagnostics().WriteLine($"{file} cannot be written: {failure.Message}");
            return ExitCode.ResultsNotWritten;
        }
    }
}
