// Runs services one after the other, as the process of each: with its outputs, signals and working folder. What the
// first has compiled the next need not. A request is three lines: the service, its folder, its arguments as JSON. Each
// run ends with a line on either output that only says so: the exit code, and whether sockets are still open.
using System.Globalization;
using System.Text.Json;
using RedisLatency.Consumer;
using RedisLatency.Producer;
using RedisLatency.Replication;
using RedisLatency.Tool;
using RedisLatency.Workloads;

const char EndOfRun = '\u001e';

// Raw, so that nothing of the next request is read ahead, and services find their own input empty.
using var requests = new StreamReader(Console.OpenStandardInput());
Console.SetIn(TextReader.Null);
while (requests.ReadLine() is { } service)
{
    Environment.CurrentDirectory = requests.ReadLine()!;
    var arguments = JsonSerializer.Deserialize<string[]>(requests.ReadLine()!)!;
    var sockets = Sockets();
    var code = await Run(service, arguments);
    var left = Sockets() > sockets ? " left" : "";

    // The folder is the test's, and soon gone.
    Environment.CurrentDirectory = "/";
    var end = string.Create(CultureInfo.InvariantCulture, $"{EndOfRun}{code}{left}\n");
    foreach (var output in (Stream[])[Console.OpenStandardOutput(), Console.OpenStandardError()])
        output.Write(System.Text.Encoding.ASCII.GetBytes(end));
}

static Task<int> Run(string service, string[] arguments) => service switch
{
    "Producer" => ProducerProgram.RunAsync(arguments),
    "Consumer" => ConsumerProgram.RunAsync(arguments),
    "Workloads" => WorkloadsProgram.RunAsync(arguments),
    "Replication" => ReplicationProgram.RunAsync(arguments),
    "Tool" => ToolProgram.RunAsync(arguments),
    _ => throw new ArgumentException($"{service} is no service."),
};

static int Sockets() => Directory.EnumerateFileSystemEntries("/proc/self/fd")
    .Count(file => new FileInfo(file).LinkTarget?.StartsWith("socket:", StringComparison.Ordinal) is true);
